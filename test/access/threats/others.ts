/** What people try with the ids, keys and names of others. */
import type { Answered } from '../ask.js';
import type { Name } from '../people.js';
import type { AccessStage, Things } from '../stage.js';
import { askDecide, askRun, byFrame, resolved, RUN_DOORS, tries } from './doors.js';

const CALL = (toolCallId: string, name: string) => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName: name },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: '{"amount":5}' },
  { type: 'TOOL_CALL_END', toolCallId },
];

/** An id as other writers write it in a path. */
const spellings = (id: string): readonly string[] => [
  id,
  `%${id.codePointAt(0)!.toString(16)}${id.slice(1)}`,
  encodeURIComponent(`${id} `),
  id.toUpperCase(),
  `${id}%00`,
  `${id}%2F..%2F${id}`,
  `..%2Fthreads%2F${id}`,
];

export const others = (on: () => AccessStage): void => {
  const headOf = async (thread: string): Promise<unknown> => {
    const { items } = await on().json<{ items: { seq: number }[] }>('operator', `/v1/threads/${thread}/log`);
    return [items.length, items.at(-1)?.seq];
  };

  describe('what is another’s', () => {
    tries(
      'SE-05, threat 1: is not there, by whichever door, spelling, position or profile it is asked for',
      async () => {
        const stage = on();
        const asked = await stage.make('pay');
        const { thread } = asked;
        const { pos } = await stage.json<{ pos: string }>('owner', `/v1/threads/${thread}/snapshot`);
        const before = await headOf(thread);
        const ticket = { path: '/v1/tickets', body: { surface: 'customer', threadId: thread } };
        for (const who of ['other', 'foreignOwner', 'foreignOperator'] as const) {
          const answers: Record<string, Answered> = { ticket: await stage.ask(who, ticket) };
          for (const id of spellings(thread))
            for (const rest of ['', '/snapshot', '/events', `/runs/${asked.run}`, `/runs/${asked.run}/tree`])
              answers[`${id}${rest}`] = await stage.ask(who, { path: `/v1/threads/${id}${rest}` });
          answers.after = await stage.ask(who, { path: `/v1/threads/${thread}/events?after=${pos}` });
          answers.last = await stage.ask(who, {
            path: `/v1/threads/${thread}/events?profile=0.0.59`,
            headers: { 'last-event-id': pos },
          });
          answers.cancel = await stage.ask(who, {
            path: `/v1/threads/${thread}/runs/${asked.run}/cancel`,
            body: {},
          });
          for (const from of [undefined, pos])
            answers[`subscribe ${from}`] = await byFrame(stage, who, {
              event: 'subscribe',
              data: { threadId: thread, ...(from === undefined ? {} : { from }) },
            });
          for (const door of RUN_DOORS)
            for (const more of [{}, resolved(asked.interrupt), { protocolVersion: undefined }])
              answers[`${door} ${JSON.stringify(more)}`] = await askRun(stage, who, {
                door,
                threadId: thread,
                ...more,
              });
          const wrong = Object.entries(answers).filter(
            // A path with a NUL, a blank or a slash in its id is no path of ours.
            ([name, { code }]) =>
              code !== 'NOT_FOUND' && !(code === 'INVALID_INPUT' && /%(?:00|2F|20)/u.test(name)),
          );
          expect({ who, wrong }).toEqual({ who, wrong: [] });
          const connected = await stage.ask(who, {
            path: '/v1/agents/told/connect',
            headers: { accept: 'application/vnd.ag-ui.event+proto' },
            body: { threadId: thread, runId: 'x', messages: [], tools: [], context: [] },
          });
          expect(JSON.parse(connected.said)).toMatchObject({ status: 200, text: '' });
        }
        expect(await headOf(thread)).toEqual(before);
        expect(stage.resumedOn(thread)).toBe(0);
      },
    );

    tries(
      'SE-14: whoever decides one kind of thing decides no other, by HTTP, by frame and by an answer',
      async () => {
        const stage = on();
        const [threadId, runId] = ['both', 'both-r'];
        const interrupts = ['pay', 'deploy'].map((name) => ({
          ...{ id: name, reason: 'tool_call', toolCallId: `k-${name}` },
        }));
        stage.tell(threadId, [
          { type: 'RUN_STARTED', threadId, runId },
          ...CALL('k-pay', 'pay'),
          ...CALL('k-deploy', 'deploy'),
          { type: 'RUN_FINISHED', threadId, runId, outcome: { type: 'interrupt', interrupts } },
        ]);
        await stage.ask('owner', {
          path: '/v1/agents/told/run',
          body: { threadId, runId, protocolVersion: '1.0', messages: [], tools: [], context: [] },
        });
        const tasks = await stage.tasksOf(threadId, 2);
        const foreign: readonly [Name, string][] = [
          ['candidate', 'deploy'],
          ['supervisor', 'deploy'],
          ['outsider', 'pay'],
          ['stranger', 'pay'],
        ];
        for (const [who, kind] of foreign) {
          const { taskId, rev, proposalHash } = tasks.find(({ interruptId }) => interruptId === kind)!;
          const named = { task: taskId, rev, hash: proposalHash };
          const both = [...resolved('pay').resume, ...resolved('deploy').resume];
          const answers = [
            (await askDecide(stage, who, named)).code,
            (await askDecide(stage, who, named, { door: 'frame' })).code,
            (await askRun(stage, who, { door: 'http', threadId, ...resolved(kind) })).code,
            (await askRun(stage, who, { door: 'frame', threadId, ...resolved(kind) })).code,
            (await askRun(stage, who, { door: 'plain', threadId, resume: both })).code,
          ];
          const unknown = 'UNKNOWN_INTERRUPT';
          expect({ who, answers }).toEqual({
            who,
            answers: ['NOT_FOUND', 'NOT_FOUND', unknown, unknown, unknown],
          });
        }
        for (const { taskId } of tasks)
          expect(await stage.task(taskId)).toMatchObject({ state: 'pending', rev: 1 });
        expect(stage.resumedOn(threadId)).toBe(0);
      },
    );

    tries(
      'threat 5: one person has one vote, with whichever token and by whichever door, and none on what they asked for',
      async () => {
        const stage = on();
        const asked = await stage.make('twice');
        const token = await stage.product.token({
          sub: 'cleo',
          roles: ['supervisor'],
          groups: ['desk', 'ops'],
        });
        const path = `/v1/approvals/${asked.task}/decide`;
        const body = { verb: 'approve', rev: asked.rev, proposalHash: asked.hash };
        for (let times = 0; times < 2; times += 1) {
          expect((await askDecide(stage, 'candidate', asked)).code).toBe('ok');
          expect((await askDecide(stage, 'candidate', asked, { door: 'frame' })).code).toBe('ok');
          expect((await stage.product.fetch(path, { token, body })).status).toBe(200);
          const again = { door: 'plain' as const, threadId: asked.thread, ...resolved(asked.interrupt) };
          await askRun(stage, 'candidate', again);
          expect(await stage.task(asked.task)).toMatchObject({
            state: 'voting',
            quorum: { needed: 2, have: 1 },
            votes: [{ by: 'cleo' }],
          });
        }
        for (const roles of [['supervisor'], ['reviewer', 'operator'], ['customer', 'reviewer']]) {
          const second = await stage.product.token({ sub: 'amelia', roles, groups: ['desk'] });
          const no = await stage.product.fetch(path, { token: second, body });
          expect([no.status, await no.json()]).toMatchObject([403, { error: { code: 'FORBIDDEN' } }]);
        }
        expect(stage.resumedOn(asked.thread)).toBe(0);
      },
    );

    tries(
      'threat 8: neither agents nor bridges nor operators decide, in whoever’s name they say it',
      async () => {
        const stage = on();
        const asked = await stage.make('pay');
        const names = { onBehalfOf: 'cleo', actor: 'cleo', by: 'cleo', sub: 'cleo', roles: ['reviewer'] };
        const headers = { 'on-behalf-of': 'cleo', 'x-user': 'cleo' };
        const decide = { verb: 'approve', rev: asked.rev, proposalHash: asked.hash, ...names };
        const wanted: readonly [Name, string][] = [
          ['operator', 'FORBIDDEN'],
          ['told', 'NOT_FOUND'],
          ['engine', 'NOT_FOUND'],
          ['mask', 'NOT_FOUND'],
          ['bridge', 'NOT_FOUND'],
          ['admin', 'NOT_FOUND'],
        ];
        for (const [who, code] of wanted)
          for (const command of ['decide', 'claim']) {
            const path = `/v1/approvals/${asked.task}/${command}`;
            const body = command === 'decide' ? decide : names;
            const answered = await stage.ask(who, { path, body, headers });
            expect({ who, command, code: answered.code }).toEqual({ who, command, code });
          }
        const door = 'frame' as const;
        expect((await askDecide(stage, 'operator', asked, { door, ...names })).code).toBe('FORBIDDEN');
        expect(await stage.task(asked.task)).toMatchObject({ rev: 1, state: 'pending' });
      },
    );

    tries('threat 21: an idempotency key of one is nothing to another', async () => {
      const stage = on();
      const asked = await stage.make('pay');
      const keyed = (who: Name, { task }: Things) =>
        stage.ask(who, {
          path: `/v1/approvals/${task}/comment`,
          body: { text: 'mine alone' },
          headers: { 'idempotency-key': 'the-same' },
        });
      const first = await keyed('candidate', asked);
      expect(first.code).toBe('ok');
      for (const who of ['other', 'outsider', 'foreignCandidate'] as const)
        expect({ who, code: (await keyed(who, asked)).code }).toEqual({ who, code: 'NOT_FOUND' });
      expect((await keyed('supervisor', asked)).code).toBe('ok');
      expect((await keyed('candidate', asked)).said).toBe(first.said);
      // Another request under one's own key is told apart; under another's it is a first one.
      const another = await stage.make('pay');
      expect((await keyed('candidate', another)).code).toBe('IDEMPOTENCY_KEY_REUSED');
      const { history } = await stage.json<{ history: { by: string; action: string }[] }>(
        'operator',
        `/v1/approvals/${asked.task}`,
      );
      expect(history.filter(({ action }) => action === 'comment').map(({ by }) => by)).toEqual([
        'cleo',
        'sana',
      ]);
    });
  });
};
