/** Proves on the running product that an answer can be taken back for a while, and is sent once when it stands. */
import { verifies } from '../spec/verifies.js';
import { OLGA, RITA, ROLF, SVEN, UP_MS, VerbsStage } from './verbs-stage.js';

const JOURNEY_MS = 90_000;

let stage: VerbsStage;
beforeAll(async () => {
  stage = await VerbsStage.start();
}, UP_MS);
afterAll(() => stage?.stop(), UP_MS);

describe('an answer that is held', () => {
  verifies(
    'APR-36',
    'is taken back by HTTP and by frame, and every inbox is told',
    async () => {
      const desk = await stage.product.screen('reviewer', RITA);
      const other = await stage.product.screen('reviewer', ROLF);
      await other.ask('inbox.subscribe', {});
      const [task] = await stage.asks('undo-1', 'pay');
      const held = await stage.decide(RITA, task!, 'approve');
      expect(held).toMatchObject({ status: 200, value: { state: 'held', may: ['comment', 'undo'] } });
      const now = (state: string) => (data: Record<string, unknown>) =>
        data.taskId === task!.taskId && data.state === state;
      await other.next('task', now('held'));
      expect((await stage.verb(ROLF, held.value, 'undo')).value.error?.code).toBe('FORBIDDEN');
      expect((await stage.verb(OLGA, held.value, 'undo')).value.error?.code).toBe('FORBIDDEN');
      expect(await stage.post(RITA, `/v1/approvals/${task!.taskId}/undo`, {})).toMatchObject({
        status: 400,
        value: { error: { details: { pointer: '/rev' } } },
      });
      expect((await stage.decide(ROLF, task!, 'reject')).value.error).toMatchObject({
        code: 'ALREADY_DECIDED',
        details: { kind: 'approved', by: ['rita'] },
      });
      const { taskId, rev } = held.value;
      const undone = await desk.ask('task.undo', { taskId, rev });
      expect(undone).toMatchObject({ state: 'claimed', rev: rev + 1, claim: { by: 'rita' } });
      await other.next('task', now('claimed'));
      const again = await stage.decide(RITA, await stage.read(RITA, taskId), 'reject', { reason: 'No.' });
      expect(again.value).toMatchObject({ state: 'held', decision: { kind: 'rejected' } });
      expect(await stage.verb(SVEN, again.value, 'undo')).toMatchObject({
        status: 200,
        value: { state: 'claimed', claim: { by: 'sven' } },
      });
      expect(stage.resumed('undo-1')).toEqual([]);
      await Promise.all([desk.close(), other.close()]);
    },
    JOURNEY_MS,
  );

  verifies(
    'APR-37',
    'is sent once when its time is up, and can be taken back no more',
    async () => {
      const [task] = await stage.asks('undo-2', 'tip');
      const held = await stage.decide(RITA, task!, 'approve');
      expect(held.value.state).toBe('held');
      expect(stage.resumed('undo-2')).toEqual([]);
      await stage.closed(task!.taskId);
      const inputs = stage.resumed('undo-2');
      expect(inputs.map(({ resume }) => resume)).toMatchObject([
        [{ interruptId: 'i1', status: 'resolved', payload: { approved: true } }],
      ]);
      expect((await stage.verb(RITA, held.value, 'undo')).value.error).toMatchObject({
        code: 'ALREADY_DECIDED',
        details: { kind: 'approved', by: ['rita'], at: held.value.decision?.at },
      });
    },
    JOURNEY_MS,
  );

  verifies(
    'APR-38',
    'by a run’s resume is answered with what is held, and followed by the run of that name',
    async () => {
      const answer = (threadId: string) => ({
        ...{ threadId, runId: `${threadId}-mine`, protocolVersion: '1.0' },
        ...{ messages: [], tools: [], context: [] },
        resume: [{ interruptId: 'i1', status: 'resolved', payload: { approved: true } }],
      });
      const [first] = await stage.asks('undo-3', 'tip');
      const told = await stage.post(RITA, '/v1/agents/told/run', answer('undo-3'));
      expect(told).toMatchObject({
        status: 202,
        value: { tasks: [{ taskId: first!.taskId, state: 'held' }], waiting: 1 },
      });
      await stage.closed(first!.taskId);
      expect(stage.resumed('undo-3').map(({ runId }) => runId)).toEqual(['undo-3-mine']);

      await stage.asks('undo-4', 'tip');
      const token = await stage.product.token(RITA);
      const body = answer('undo-4');
      const holding = await stage.product.fetch('/v1/agents/told/run?hold=60', { token, body });
      expect([holding.status, holding.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
      expect(await holding.text()).toContain('"runId":"undo-4-mine"');
    },
    JOURNEY_MS,
  );
});
