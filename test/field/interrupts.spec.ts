/** What agents ask and people answer, as others saw it go wrong: lost gates, partial, doubled and invented answers. */
import type { AguiEvent, Interrupt, TaskView } from '@triptych/protocol';
import { AMELIA, MO, TOVE, until, type Person } from '@triptych/testkit';
import { verifies } from '../spec/verifies.js';
import { Caller, type Told } from '../stand/caller.js';
import { FieldStage, STAGE_MS } from './stage.js';
import { finished, started } from './words.js';

const ANA: Person = { sub: 'ana', roles: ['reviewer'], groups: [] };
const APPROVE = { verb: 'approve' };

let stage: FieldStage;
beforeAll(async () => {
  stage = await FieldStage.start();
}, STAGE_MS);
afterAll(() => stage?.stop(), STAGE_MS);

const as = async (person: Person, url = stage.product.url): Promise<Caller> =>
  new Caller(url, await stage.product.token(person));

const asks = (thread: string, runId: string, ...interrupts: readonly Partial<Interrupt>[]): AguiEvent =>
  finished(thread, runId, { outcome: { type: 'interrupt', interrupts } });
const call = (toolCallId: string, name: string, args: object): readonly AguiEvent[] => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName: name },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(args) },
  { type: 'TOOL_CALL_END', toolCallId },
];
const sure = (id: string): Interrupt => ({ id, reason: 'confirmation', message: 'Sure?' });
const question = (id: string): Interrupt => ({ id, reason: 'input_required', message: 'What?' });

/** Tells the agent's answers, whose run ids it is given. */
const ends = (thread: string): void =>
  stage.agent.tell(thread, (response, { threadId, runId }) => {
    const events = [started(threadId, runId), finished(threadId, runId)];
    response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  });

const tasksOf = async (thread: string): Promise<readonly TaskView[]> => {
  const { items } = await (await as(MO)).get<{ items: TaskView[] }>(`/v1/approvals?threadId=${thread}`);
  return items.toSorted((a, b) => a.interruptId.localeCompare(b.interruptId));
};
const decide = async (task: TaskView, body: object, person: Person = ANA): Promise<Told<TaskView>> => {
  const { taskId, rev, proposalHash } = task;
  return (await as(person)).ask<TaskView>(`/v1/approvals/${taskId}/decide`, { rev, proposalHash, ...body });
};
const answer = async (
  thread: string,
  runId: string,
  resume: readonly object[],
  url?: string,
): Promise<Told<unknown>> =>
  (await as(AMELIA, url)).ask('/v1/agents/told/run', {
    threadId: thread,
    runId,
    messages: [],
    tools: [],
    context: [],
    resume,
  });
const resumesOf = (thread: string) =>
  stage.agent.heard.filter(({ threadId, resume = [] }) => threadId === thread && resume.length > 0);
const isDone = async ({ taskId }: TaskView): Promise<boolean> =>
  (await (await as(MO)).get<TaskView>(`/v1/approvals/${taskId}`)).batch.state === 'done';

describe('a gate that an agent has put up', () => {
  verifies(
    'HUB-106',
    'IN-01: stays, though a plain run of the agent’s own follows, and nobody begins another past it',
    async () => {
      const thread = 'in-01';
      await stage.open(thread);
      stage.agent.tell(thread, [
        started(thread),
        asks(thread, 'run-1', sure('i1')),
        started(thread, 'run-2'),
        finished(thread, 'run-2'),
      ]);
      await stage.run(thread, 'run-1');
      const [task] = (await tasksOf(thread)) as [TaskView];
      expect(task).toMatchObject({ state: 'pending', interruptId: 'i1' });
      expect((await stage.log(thread)).filter(({ refused }) => refused)).not.toEqual([]);
      const message = {
        messages: [{ id: 'm', role: 'user', content: 'go on' }],
        threadId: thread,
        runId: 'run-3',
      };
      expect(
        (await (await as(AMELIA)).ask('/v1/agents/told/run', { tools: [], context: [], ...message })).code,
      ).toBe('RESUME_REQUIRED');
      ends(thread);
      expect((await decide(task, APPROVE)).code).toBe('ok');
      await until(() => isDone(task));
      expect(resumesOf(thread)).toHaveLength(1);
    },
    STAGE_MS,
  );

  verifies(
    'HUB-106',
    'IN-13: of three, one malformed, is not put up by two: the run ends as a violation, and nobody is asked',
    async () => {
      const thread = 'in-13';
      await stage.open(thread);
      stage.agent.tell(thread, [
        started(thread),
        asks(thread, 'run-1', sure('i1'), { id: 'i2' }, sure('i3')),
      ]);
      const told = await stage.run(thread, 'run-1');
      expect(told.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'hub/protocol-violation' });
      expect(await tasksOf(thread)).toEqual([]);
      expect((await stage.log(thread)).some(({ refused }) => refused)).toBe(true);
    },
    STAGE_MS,
  );

  verifies(
    'HUB-106',
    'IN-12: asked twice under one id is refused, and no form answers two questions',
    async () => {
      const thread = 'in-12';
      await stage.open(thread);
      stage.agent.tell(thread, [started(thread), asks(thread, 'run-1', sure('i1'), sure('i1'))]);
      expect((await stage.run(thread, 'run-1')).at(-1)).toMatchObject({
        type: 'RUN_ERROR',
        code: 'hub/protocol-violation',
      });
      expect(await tasksOf(thread)).toEqual([]);
    },
    STAGE_MS,
  );

  verifies(
    'HUB-106',
    'IN-17: with a deadline that cannot be read, has no zone, or is long over, is never open for ever',
    async () => {
      const thread = 'in-17';
      await stage.open(thread);
      const until2036 = '2036-03-01T09:00:00';
      const given = ['soon', until2036, '1970-01-01T00:00:00Z'].map((expiresAt, nth) => ({
        ...sure(`i${nth + 1}`),
        expiresAt,
      }));
      stage.agent.tell(thread, [started(thread), asks(thread, 'run-1', ...given)]);
      await stage.run(thread, 'run-1');
      const path = `/v1/approvals?threadId=${thread}&state=pending,expired`;
      const { items } = await (await as(MO)).get<{ items: TaskView[] }>(path);
      const [soon, zoneless, over] = items.toSorted((a, b) => a.interruptId.localeCompare(b.interruptId));
      expect((soon?.expiresAt ?? 0) - (soon?.createdAt ?? 0)).toBe(30 * 86_400_000);
      expect(zoneless?.expiresAt).toBeLessThan(Date.parse(`${until2036}Z`));
      expect((await decide(over as TaskView, APPROVE)).code).toBe('EXPIRED');
    },
    STAGE_MS,
  );
});

describe('an answer', () => {
  verifies(
    'HUB-106',
    'IN-03: to one of two is kept, and nothing is sent before the other is there; a partial resume names it',
    async () => {
      const thread = 'in-03';
      await stage.open(thread);
      stage.agent.tell(thread, [started(thread), asks(thread, 'run-1', question('i1'), question('i2'))]);
      await stage.run(thread, 'run-1');
      const [first, second] = ['i1', 'i2'].map((interruptId) => ({
        interruptId,
        status: 'resolved',
        payload: { said: interruptId },
      }));
      const partial = await answer(thread, 'run-2', [first as object]);
      expect(partial).toMatchObject({ code: 'INCOMPLETE_RESUME', details: { missing: ['i2'] } });
      const reviewed = 'in-03-reviewed';
      await stage.open(reviewed);
      stage.agent.tell(reviewed, [started(reviewed), asks(reviewed, 'run-1', sure('i1'), sure('i2'))]);
      await stage.run(reviewed, 'run-1');
      const [one, other] = (await tasksOf(reviewed)) as [TaskView, TaskView];
      for (const name of [thread, reviewed]) ends(name);
      expect((await decide(one, APPROVE)).value).toMatchObject({
        state: 'decided',
        batch: { state: 'open', open: 1 },
      });
      expect([...resumesOf(thread), ...resumesOf(reviewed)]).toEqual([]);
      expect((await decide(other, { verb: 'reject' })).code).toBe('ok');
      expect((await answer(thread, 'run-2', [second as object, first as object])).code).toBe('ok');
      await until(() => resumesOf(thread).length > 0 && resumesOf(reviewed).length > 0);
      const sent = [thread, reviewed].map((name) =>
        resumesOf(name).map(({ resume = [] }) => resume.map(({ interruptId }) => interruptId)),
      );
      expect(sent).toEqual([[['i1', 'i2']], [['i1', 'i2']]]);
    },
    STAGE_MS,
  );

  verifies(
    'HUB-106',
    'IN-06: names the interrupt by the one id that stream, history, replay and task have, and works once by each',
    async () => {
      const thread = 'in-06';
      await stage.open(thread);
      stage.agent.tell(thread, [started(thread), asks(thread, 'run-1', question('i:1/ö'))]);
      const idIn = (events: readonly AguiEvent[]): unknown =>
        (
          events.find(({ type }) => type === 'RUN_FINISHED') as
            { outcome?: { interrupts?: { id: string }[] } } | undefined
        )?.outcome?.interrupts?.[0]?.id;
      const live = idIn(await stage.run(thread, 'run-1'));
      const history = idIn((await stage.log(thread)).map(({ event }) => event as AguiEvent));
      const replayed = idIn((await stage.snapshot(thread, 'customer')).events);
      const [task] = (await tasksOf(thread)) as [TaskView];
      const ids = [live, history, replayed, task.interruptId];
      expect(new Set(ids)).toEqual(new Set(['i:1/ö']));
      ends(thread);
      for (const interruptId of ids)
        expect(
          (await answer(thread, 'run-2', [{ interruptId, status: 'resolved', payload: { said: 1 } }])).code,
        ).toBe('ok');
      expect(resumesOf(thread)).toHaveLength(1);
    },
    STAGE_MS,
  );

  verifies(
    'HUB-106',
    'IN-07: given twice at the same moment at two hubs is sent once, and both have the first result',
    async () => {
      const thread = 'in-07';
      await stage.open(thread);
      const other = await stage.product.anotherHub();
      stage.agent.tell(thread, [started(thread), asks(thread, 'run-1', question('i1'))]);
      await stage.run(thread, 'run-1');
      ends(thread);
      const resume = [{ interruptId: 'i1', status: 'resolved', payload: { said: 1 } }];
      const told = await Promise.all(
        [undefined, other.url, undefined].map((url) => answer(thread, 'run-2', resume, url)),
      );
      expect(told.map(({ code }) => code)).toEqual(['ok', 'ok', 'ok']);
      expect(resumesOf(thread)).toHaveLength(1);
      await other.stop();
    },
    STAGE_MS,
  );

  verifies(
    'HUB-106',
    'IN-10: that differs from the one before is told what stands and by whom; the same again is a success',
    async () => {
      const thread = 'in-10';
      await stage.open(thread);
      stage.agent.tell(thread, [started(thread), asks(thread, 'run-1', sure('i1'))]);
      await stage.run(thread, 'run-1');
      const [task] = (await tasksOf(thread)) as [TaskView];
      ends(thread);
      expect((await decide(task, APPROVE)).code).toBe('ok');
      await until(() => isDone(task));
      expect((await decide(task, APPROVE)).value?.decision).toMatchObject({ kind: 'approved', by: ['ana'] });
      for (const person of [ANA, TOVE])
        expect(await decide(task, { verb: 'reject' }, person)).toMatchObject({
          code: 'ALREADY_DECIDED',
          details: { kind: 'approved', by: ['ana'] },
        });
      expect(resumesOf(thread)).toHaveLength(1);
    },
    STAGE_MS,
  );

  verifies(
    'HUB-106',
    'IN-09: that is in the history is not given again: the question that comes again is open, and nothing is sent',
    async () => {
      const thread = 'in-09';
      await stage.open(thread);
      stage.agent.tell(thread, [started(thread), asks(thread, 'run-1', sure('i1'))]);
      await stage.run(thread, 'run-1');
      const [task] = (await tasksOf(thread)) as [TaskView];
      ends(thread);
      await decide(task, APPROVE);
      await until(() => isDone(task));
      stage.agent.tell(thread, [started(thread, 'run-3'), asks(thread, 'run-3', sure('i1'))]);
      const history = [{ id: 'm1', role: 'user', content: JSON.stringify({ approved: true }) }];
      await stage.run(thread, 'run-3', { messages: history });
      const [again] = (await tasksOf(thread)) as [TaskView];
      expect(again).toMatchObject({ state: 'pending', votes: [], runId: 'run-3' });
      const kept = await (await as(MO)).get<TaskView>(`/v1/approvals/${again?.taskId}`);
      expect(kept.history?.map(({ action }) => action)).toEqual(['open', 'answered-before']);
      const old = [{ interruptId: 'i1', status: 'resolved', payload: { approved: true } }];
      expect((await answer(thread, 'run-2', old)).code).toBe('FORBIDDEN');
      expect((await tasksOf(thread))[0]).toMatchObject({ state: 'pending' });
      expect(resumesOf(thread)).toHaveLength(1);
      // It is answered by whoever is asked, and what had been sent before would have come before this.
      ends(thread);
      await decide(again as TaskView, { verb: 'reject' });
      await until(() => isDone(again as TaskView));
      expect(resumesOf(thread).map(({ resume = [] }) => resume[0]?.payload)).toEqual([
        { approved: true },
        { approved: false },
      ]);
    },
    STAGE_MS,
  );
});

const TRANSFER = { to: 'ann@example.test', cc: 'bob@example.test', body: 'hi' };
const schemaOf = (edits: boolean) => ({
  type: 'object',
  properties: { approved: { type: 'boolean' }, ...(edits ? { editedArgs: { type: 'object' } } : {}) },
  required: ['approved'],
  additionalProperties: false,
});

describe('a call that waits for a yes', () => {
  verifies(
    'HUB-106',
    'IN-15: is edited whole, where the schema offers it; where it does not, no edit is taken',
    async () => {
      const editedArgs = { to: 'cat@example.test', body: 'hi' };
      const asked = async (thread: string, edits: boolean): Promise<TaskView> => {
        await stage.open(thread);
        const interrupt = { id: 'i1', reason: 'tool_call', toolCallId: 'a', responseSchema: schemaOf(edits) };
        stage.agent.tell(thread, [
          started(thread),
          ...call('a', 'send_email', TRANSFER),
          asks(thread, 'run-1', interrupt),
        ]);
        await stage.run(thread, 'run-1');
        ends(thread);
        return ((await tasksOf(thread)) as [TaskView])[0];
      };
      const [open, fixed] = [await asked('in-15', true), await asked('in-15-fixed', false)];
      expect((await decide(fixed, { ...APPROVE, editedArgs })).code).toBe('RESUME_PAYLOAD_INVALID');
      expect((await decide(open, { ...APPROVE, editedArgs })).code).toBe('ok');
      await until(() => isDone(open));
      expect(resumesOf('in-15')[0]?.resume?.[0]?.payload).toEqual({ approved: true, editedArgs });
      expect((await decide(fixed, APPROVE)).code).toBe('ok');
      await until(() => isDone(fixed));
      expect(resumesOf('in-15-fixed').map(({ resume = [] }) => resume[0]?.payload)).toEqual([
        { approved: true },
      ]);
      const kept = await (await as(MO)).get<TaskView>(`/v1/approvals/${open.taskId}`);
      expect(kept).toMatchObject({ proposal: { args: TRANSFER }, edit: { by: 'ana', args: editedArgs } });
    },
    STAGE_MS,
  );

  verifies(
    'HUB-106',
    'IN-18: has one result, the agent’s; the hub invents none, and the call is not begun again',
    async () => {
      const thread = 'in-18';
      await stage.open(thread);
      stage.agent.tell(
        thread,
        [
          started(thread),
          ...call('a', 'ask', {}),
          asks(thread, 'run-1', { id: 'i1', reason: 'input_required', toolCallId: 'a' }),
        ],
        [
          started(thread, 'run-2'),
          { type: 'TOOL_CALL_RESULT', messageId: 'res-1', toolCallId: 'a', content: 'done' },
          finished(thread, 'run-2'),
        ],
      );
      await stage.run(thread, 'run-1');
      expect(
        (await answer(thread, 'run-2', [{ interruptId: 'i1', status: 'resolved', payload: { said: 1 } }]))
          .code,
      ).toBe('ok');
      const [resumed] = resumesOf(thread);
      expect(resumed?.messages.filter(({ role }) => role === 'tool')).toEqual([]);
      const events = (await stage.log(thread)).map(({ event }) => event as AguiEvent);
      expect(events.filter(({ type }) => type === 'TOOL_CALL_RESULT')).toHaveLength(1);
      expect(events.filter(({ type }) => type === 'TOOL_CALL_START')).toHaveLength(1);
    },
    STAGE_MS,
  );
});
