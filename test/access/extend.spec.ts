/** Plays what operators do with a run that takes its time. */
import { until } from '@triptych/testkit';
import { trailOf } from '../journeys/trail-of.js';
import { verifies } from '../spec/verifies.js';
import { PEOPLE } from './people.js';
import { AccessStage, STAGE_MS } from './stage.js';

let stage: AccessStage;
beforeAll(async () => {
  stage = await AccessStage.start();
}, STAGE_MS);
afterAll(async () => {
  await stage?.stop();
}, STAGE_MS);

const extend = async (thread: string, run: string, body: object): Promise<object> =>
  stage.product.json(`/v1/threads/${thread}/runs/${run}/extend`, {
    token: stage.tokens.operator ?? '',
    body,
  });

describe('a run that takes its time', () => {
  verifies(
    'HUB-113',
    'is given more by an operator, who is recorded; what is over stays over',
    async () => {
      const { thread, run } = await stage.make('running');
      expect(await extend(thread, run, { ms: 60_000 })).toEqual({ state: 'extended' });
      for (const body of [{}, { ms: 0 }, { ms: 1.5 }, { ms: '9' }, { ms: 86_400_001 }])
        expect(await extend(thread, run, body)).toMatchObject({
          error: { code: 'INVALID_INPUT', details: { pointer: '/ms' } },
        });
      expect(await extend(thread, 'never-was', { ms: 1 })).toMatchObject({ error: { code: 'NOT_FOUND' } });
      expect(await extend(thread, 'x'.repeat(300), { ms: 1 })).toMatchObject({
        error: { code: 'INVALID_INPUT' },
      });
      const idle = await stage.make('idle');
      expect(await extend(idle.thread, idle.run, { ms: 1 })).toEqual({ state: 'ended', status: 'success' });
      await until(async () => (await trailOf(stage.product, { thread })).length > 0);
      const records = await trailOf(stage.product, { thread, action: 'run.extend' });
      expect(records).toMatchObject([
        { actor: { id: PEOPLE.operator.sub, role: 'operator' }, subject: { thread, run } },
      ]);
    },
    STAGE_MS,
  );
});
