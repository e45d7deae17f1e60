/** What is proposed, and how agents and others would have something else approved. */
import { until } from '@triptych/testkit';
import { type AccessStage, type Things } from '../stage.js';
import { askDecide, askRun, resolved, RUN_DOORS, tries } from './doors.js';

/** Schemas that would reach out, never end, or say nothing that can be kept. */
const SCHEMAS: Readonly<Record<string, object>> = {
  'a foreign $ref': { $ref: 'http://127.0.0.1:9/schema.json' },
  'a file’s $ref': { properties: { a: { $ref: 'file:///etc/passwd' } } },
  'a pattern without end': { type: 'string', pattern: '^(a+)+$' },
  'a pattern without end, hidden': { properties: { a: { items: { pattern: '([a-zA-Z]+)*$' } } } },
  'a schema of 500 kB': { enum: Array.from({ length: 50_000 }, (_, n) => `value ${n}`) },
};

const ARGUMENTS: Readonly<Record<string, string>> = {
  'a repeated key': '{"amount":5,"amount":5000000}',
  'a repeated key, escaped': '{"amount":5,"\\u0061mount":5000000}',
  'a number no double holds': '{"amount":9007199254740993}',
  'a prototype': '{"amount":5,"__proto__":{"amount":7},"__proto__":{}}',
  'no JSON': '{"amount":5',
};

export const proposals = (on: () => AccessStage): void => {
  let made = 0;
  const asking = async (interrupt: object, args = '{"amount":5}'): Promise<Things> => {
    const stage = on();
    made += 1;
    const [threadId, runId] = [`odd-${made}`, `odd-${made}-r`];
    stage.tell(threadId, [
      { type: 'RUN_STARTED', threadId, runId },
      { type: 'TOOL_CALL_START', toolCallId: 'k', toolCallName: 'pay' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'k', delta: args },
      { type: 'TOOL_CALL_END', toolCallId: 'k' },
      {
        type: 'RUN_FINISHED',
        threadId,
        runId,
        outcome: {
          type: 'interrupt',
          interrupts: [{ id: 'i', reason: 'tool_call', toolCallId: 'k', ...interrupt }],
        },
      },
    ]);
    await askRun(stage, 'owner', { door: 'http', threadId, runId });
    const [task] = await stage.tasksOf(threadId, 1);
    const { taskId, rev, proposalHash, batch } = task!;
    const ids = { thread: threadId, run: runId, interrupt: 'i', task: taskId, batch: batch.batchId };
    return { agent: 'told', ...ids, rev, hash: proposalHash };
  };

  /** For operators only, and for them not to approve. */
  const nobodyApproves = async (what: string, asked: Things): Promise<void> => {
    const stage = on();
    for (const who of ['candidate', 'supervisor', 'twin'] as const) {
      const seen = await stage.ask(who, { path: `/v1/approvals/${asked.task}` });
      const listed = await stage.ask(who, { path: '/v1/approvals' });
      const decided = await askDecide(stage, who, asked);
      expect({
        what,
        who,
        codes: [seen.code, decided.code],
        listed: listed.said.includes(asked.task),
      }).toEqual({
        ...{ what, who, codes: ['NOT_FOUND', 'NOT_FOUND'], listed: false },
      });
    }
    expect((await askDecide(stage, 'operator', asked)).code).toBe('FORBIDDEN');
    expect((await askDecide(stage, 'operator', asked, { door: 'frame', verb: 'respond' })).code).toBe(
      'FORBIDDEN',
    );
    for (const door of RUN_DOORS)
      for (const who of ['owner', 'operator'] as const)
        expect((await askRun(stage, who, { door, threadId: asked.thread, ...resolved('i') })).code).toBe(
          'FORBIDDEN',
        );
    expect(await stage.task(asked.task)).toMatchObject({ state: 'pending' });
  };

  describe('what is proposed', () => {
    tries(
      'threat 4: is what was shown, or the decision is stale: by HTTP, by frame, by an answer',
      async () => {
        const stage = on();
        const shown = await stage.make('twice');
        const edit = { editedArgs: { amount: 5_000_000 } };
        expect((await askDecide(stage, 'supervisor', shown, edit)).code).toBe('ok');
        const now = await stage.task(shown.task);
        expect(now).toMatchObject({ rev: 2, edit: { args: { amount: 5_000_000 } } });
        for (const door of ['http', 'frame'] as const)
          for (const [rev, hash] of [
            [1, shown.hash],
            [2, shown.hash],
            [1, now.proposalHash],
            [2, ''],
            [2, now.proposalHash.toUpperCase()],
          ] as const) {
            const { code } = await askDecide(stage, 'candidate', { ...shown, rev, hash }, { door });
            expect({ door, rev, hash, code }).toEqual({ door, rev, hash, code: 'STALE_REVISION' });
          }
        for (const door of RUN_DOORS) {
          const { code } = await askRun(stage, 'candidate', {
            door,
            threadId: shown.thread,
            ...resolved(shown.interrupt),
          });
          expect({ door, code }).toEqual({ door, code: 'STALE_REVISION' });
        }
        expect(stage.resumedOn(shown.thread)).toBe(0);
        const current = { ...shown, rev: 2, hash: now.proposalHash };
        expect((await askDecide(stage, 'candidate', current)).code).toBe('ok');
      },
    );

    for (const [what, responseSchema] of Object.entries(SCHEMAS))
      tries(`threat 12: ${what} is nothing to approve by`, async () =>
        nobodyApproves(what, await asking({ responseSchema })),
      );

    tries('threat 12: a schema nested a thousand deep ends its run, and there is no task', async () => {
      const stage = on();
      const [threadId, runId] = ['abyss', 'abyss-r'];
      const responseSchema = Array.from({ length: 1_000 }).reduce<object>((inner) => ({ not: inner }), {});
      const interrupts = [{ id: 'i', reason: 'input_required', responseSchema }];
      stage.tell(threadId, [
        { type: 'RUN_STARTED', threadId, runId },
        { type: 'RUN_FINISHED', threadId, runId, outcome: { type: 'interrupt', interrupts } },
      ]);
      await askRun(stage, 'owner', { door: 'http', threadId, runId });
      const path = `/v1/threads/${threadId}/runs/${runId}`;
      await until(async () => {
        const { status } = await stage.json<{ status: string }>('operator', path);
        return status === 'failed';
      });
      expect(await stage.tasksOf(threadId)).toEqual([]);
    });

    for (const [what, args] of Object.entries(ARGUMENTS))
      tries(`threat 13: arguments with ${what} are nothing to approve`, async () =>
        nobodyApproves(what, await asking({}, args)),
      );

    tries('threat 13: what is too large or too deep is refused, and nothing is kept of it', async () => {
      const stage = on();
      const asked = await stage.make('pay');
      const path = `/v1/approvals/${asked.task}/decide`;
      const bomb = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
      const body = `{"verb":"respond","rev":1,"proposalHash":"${asked.hash}","payload":${bomb}}`;
      expect((await stage.ask('candidate', { path, body })).code).toBe('INVALID_INPUT');
      const large = `"${'x'.repeat(13 * 1024 * 1024)}"`;
      expect((await stage.ask('candidate', { path, body: large })).code).toBe('PAYLOAD_TOO_LARGE');
      const wordy = { text: 'x'.repeat(4_001) };
      const comment = { path: `/v1/approvals/${asked.task}/comment`, body: wordy };
      expect((await stage.ask('candidate', comment)).code).toBe('INVALID_INPUT');
      expect(await stage.task(asked.task)).toMatchObject({ rev: 1, state: 'pending' });
    });
  });
};
