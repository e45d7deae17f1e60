/** Rows of the checklist about questions and answers that no other test tries by itself, on the running product. */
import type { AguiEvent, Interrupt, TaskView } from '@triptych/protocol';
import { AMELIA, MO, until, type Person } from '@triptych/testkit';
import { FieldStage, STAGE_MS } from '../field/stage.js';
import { finished, started } from '../field/words.js';
import { verifies } from '../spec/verifies.js';
import { Caller, type Told } from '../stand/caller.js';

const ANA: Person = { sub: 'ana', roles: ['reviewer'] };
const SCHEMA = { type: 'object', properties: { name: { type: 'string', minLength: 2 } }, required: ['name'] };

let stage: FieldStage;
beforeAll(async () => {
  stage = await FieldStage.start();
}, STAGE_MS);
afterAll(() => stage?.stop(), STAGE_MS);

const as = async (person: Person): Promise<Caller> =>
  new Caller(stage.product.url, await stage.product.token(person));
const question = (id: string): Interrupt => ({ id, reason: 'input_required', responseSchema: SCHEMA });

const over = (thread: string): void =>
  stage.agent.tell(thread, (response, { threadId, runId }) => {
    const events: readonly AguiEvent[] = [started(threadId, runId), finished(threadId, runId)];
    response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  });

/** A run that ended in these questions. */
const asked = async (thread: string, ...interrupts: readonly Interrupt[]): Promise<readonly AguiEvent[]> => {
  await stage.open(thread);
  const outcome = { outcome: { type: 'interrupt', interrupts } };
  stage.agent.tell(thread, [started(thread), finished(thread, 'run-1', outcome)]);
  const told = await stage.run(thread, 'run-1');
  over(thread);
  return told;
};
const answer = async (thread: string, resume: readonly object[], runId = 'run-2'): Promise<Told<unknown>> =>
  (await as(AMELIA)).ask('/v1/agents/told/run', {
    threadId: thread,
    runId,
    messages: [],
    tools: [],
    context: [],
    resume,
  });
const yes = (interruptId: string, payload: unknown = { name: 'Ada' }) => ({
  interruptId,
  status: 'resolved',
  payload,
});
const heard = (thread: string) =>
  stage.agent.heard.filter(({ threadId, resume = [] }) => threadId === thread && resume.length > 0);
const taskOf = async (thread: string): Promise<TaskView> => {
  const path = `/v1/approvals?threadId=${thread}&state=pending,decided,dispatched,closed,expired`;
  const { items } = await (await as(MO)).get<{ items: TaskView[] }>(path);
  if (!items[0]) throw new Error(`No task on ${thread}.`);
  return items[0];
};

describe('rows of the checklist', () => {
  verifies(
    'HUB-107',
    'row 58: an outcome that asks nothing is a violation, and one that asks has all it was given',
    async () => {
      expect((await asked('row-58-none')).at(-1)).toMatchObject({ code: 'hub/protocol-violation' });
      await asked('row-58', { ...question('i1'), message: 'Who?', expiresAt: '2099-01-01T00:00:00Z' });
      const task = await taskOf('row-58');
      expect(task).toMatchObject({
        interruptId: 'i1',
        reason: 'input_required',
        message: 'Who?',
        responseSchema: SCHEMA,
      });
    },
    STAGE_MS,
  );

  verifies(
    'HUB-107',
    'row 59: a reason nobody knows is kept with message and schema, for operators where no rule has it',
    async () => {
      await asked('row-59', { ...question('i1'), reason: 'risk:manual_review', message: 'Look' });
      const task = await taskOf('row-59');
      expect(task).toMatchObject({ reason: 'risk:manual_review', message: 'Look', responseSchema: SCHEMA });
      expect(task.may).toEqual(expect.arrayContaining(['cancel', 'comment']));
      for (const verb of ['respond', 'approve']) expect(task.may).not.toContain(verb);
      await asked('row-59-ruled', { id: 'i1', reason: 'confirmation' });
      const { items } = await (await as(ANA)).get<{ items: TaskView[] }>('/v1/approvals');
      const threads = items.map(({ threadId }) => threadId);
      expect(threads).toContain('row-59-ruled');
      expect(threads).not.toContain('row-59');
    },
    STAGE_MS,
  );

  verifies(
    'HUB-107',
    'row 66: an id of another run or thread is UNKNOWN_INTERRUPT, and nothing is sent',
    async () => {
      await asked('row-66', question('i1'));
      await asked('row-66-other', question('j1'));
      expect((await answer('row-66', [yes('i1'), yes('j1')])).code).toBe('UNKNOWN_INTERRUPT');
      expect((await taskOf('row-66')).state).toBe('pending');
      // What had been sent would have come before this.
      expect((await answer('row-66', [yes('i1')])).code).toBe('ok');
      expect(heard('row-66').map(({ resume = [] }) => resume.map(({ interruptId }) => interruptId))).toEqual([
        ['i1'],
      ]);
      expect(heard('row-66-other')).toEqual([]);
    },
    STAGE_MS,
  );

  verifies(
    'HUB-107',
    'row 69: twenty equal answers at once are one resume',
    async () => {
      await asked('row-69', question('i1'));
      const told = await Promise.all(Array.from({ length: 20 }, () => answer('row-69', [yes('i1')])));
      expect(new Set(told.map(({ code }) => code))).toEqual(new Set(['ok']));
      await until(async () => (await taskOf('row-69')).batch.state === 'done');
      expect(heard('row-69')).toHaveLength(1);
    },
    STAGE_MS,
  );

  verifies(
    'HUB-107',
    'row 70: a payload against the schema is refused with where and why, and the task is pending still',
    async () => {
      await asked('row-70', question('i1'));
      for (const payload of [{}, { name: 'A' }, null, 'Ada']) {
        const told = await answer('row-70', [yes('i1', payload)]);
        expect(told.code).toBe('RESUME_PAYLOAD_INVALID');
      }
      expect((await taskOf('row-70')).state).toBe('pending');
      expect((await answer('row-70', [yes('i1')])).code).toBe('ok');
      expect(heard('row-70').map(({ resume = [] }) => resume.map(({ payload }) => payload))).toEqual([
        [{ name: 'Ada' }],
      ]);
    },
    STAGE_MS,
  );

  verifies(
    'HUB-107',
    'row 71: what is over is answered no more, is abandoned by the hub, and its thread goes on',
    async () => {
      const expiresAt = new Date(Date.now() + 1_500).toISOString();
      await asked('row-71', { ...question('i1'), expiresAt });
      await until(async () => (await taskOf('row-71')).decision?.kind === 'expired');
      expect((await answer('row-71', [yes('i1')])).code).toBe('EXPIRED');
      await until(async () => (await taskOf('row-71')).batch.state === 'done');
      expect(heard('row-71').map(({ resume = [] }) => resume.map(({ status }) => status))).toEqual([
        ['cancelled'],
      ]);
      over('row-71');
      expect((await stage.run('row-71', 'run-3')).at(-1)?.type).toBe('RUN_FINISHED');
    },
    STAGE_MS,
  );

  verifies(
    'HUB-107',
    'row 72: a no is a payload, giving up has none, and a payload with it is refused',
    async () => {
      await asked('row-72', { id: 'i1', reason: 'confirmation' });
      const { taskId, rev, proposalHash } = await taskOf('row-72');
      const told = await (
        await as(ANA)
      ).ask(`/v1/approvals/${taskId}/decide`, { verb: 'reject', rev, proposalHash });
      expect(told.code).toBe('ok');
      await until(() => heard('row-72').length > 0);
      expect(heard('row-72')[0]?.resume?.[0]).toMatchObject({
        status: 'resolved',
        payload: { approved: false },
      });
      await asked('row-72-gave-up', question('i1'));
      const both = { interruptId: 'i1', status: 'cancelled', payload: { name: 'Ada' } };
      expect((await answer('row-72-gave-up', [both])).code).toBe('RESUME_PAYLOAD_INVALID');
      expect((await answer('row-72-gave-up', [{ interruptId: 'i1', status: 'cancelled' }])).code).toBe('ok');
      expect(heard('row-72-gave-up')[0]?.resume?.[0]).not.toHaveProperty('payload');
    },
    STAGE_MS,
  );

  verifies(
    'HUB-107',
    'row 115: who is shown a question may not answer it for that',
    async () => {
      await asked('row-115', { id: 'i1', reason: 'confirmation' });
      const { taskId, rev, proposalHash } = await taskOf('row-115');
      const body = { verb: 'approve', rev, proposalHash };
      for (const [person, code] of [
        [AMELIA, 'NOT_FOUND'],
        [MO, 'FORBIDDEN'],
      ] as const)
        expect((await (await as(person)).ask(`/v1/approvals/${taskId}/decide`, body)).code).toBe(code);
      expect((await taskOf('row-115')).state).toBe('pending');
    },
    STAGE_MS,
  );
});
