/** More answers than a worker sends at once: they wait, and all of them arrive. */
import type { TaskView } from '@triptych/protocol';
import { until } from '@triptych/testkit';
import { hasRedisServer } from '../redis/own-redis.js';
import { verifies } from '../spec/verifies.js';
import { isAnswered } from '../stand/asking-agent.js';
import { Office } from '../stand/office.js';

const START_MS = 300_000;
const RULES = '    - { id: any, match: { reason: tool_call } }\n';
/** As the courier has it. */
const MAX_UNDER_WAY = 50;
const BATCHES = MAX_UNDER_WAY + 15;
/** Runs that ask, begun at once. */
const AT_ONCE = 5;

if (!hasRedisServer()) process.stderr.write('courier: skipped, no redis-server on this machine\n');
(hasRedisServer() ? describe : describe.skip)('answers that become ready at once', () => {
  let office: Office;
  beforeAll(async () => {
    office = await Office.start({ rules: RULES });
  }, START_MS);
  afterAll(() => office?.stop(), START_MS);

  const askAll = async (threads: readonly string[]): Promise<readonly TaskView[]> => {
    const asked: TaskView[] = [];
    for (let at = 0; at < threads.length; at += AT_ONCE) {
      const some = threads.slice(at, at + AT_ONCE);
      const tasks = await Promise.all(some.map((id) => office.ask(id, { tool: 'pay', args: {} })));
      asked.push(...tasks.flat());
    }
    return asked;
  };

  verifies(
    'RUN-60',
    'are sent by one worker so many at a time, and the others after them, each once',
    async () => {
      const threads = Array.from({ length: BATCHES }, (_, nth) => `at-once-${nth}`);
      const tasks = await askAll(threads);
      expect(tasks).toHaveLength(BATCHES);
      let [underWay, most] = [0, 0];
      let letGo = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      office.agent.watched(async (stage, input) => {
        if (!isAnswered(input)) return;
        if (stage === 'called') most = Math.max(most, (underWay += 1));
        if (stage === 'begun') await held;
        if (stage === 'ended') underWay -= 1;
      });
      const { taskIds, body } = { taskIds: tasks, body: { verb: 'approve' } };
      for (const { taskId, rev, proposalHash } of taskIds) {
        const told = await office
          .as('ann')
          .ask(`/v1/approvals/${taskId}/decide`, { ...body, rev, proposalHash });
        expect(told.code).toBe('ok');
      }
      await until(() => underWay === MAX_UNDER_WAY);
      letGo();
      await until(async () => {
        const { items } = await office
          .as('mo')
          .get<{ items: TaskView[] }>('/v1/approvals?state=closed&limit=200');
        return items.length === BATCHES;
      });
      expect(most).toBe(MAX_UNDER_WAY);
      expect(threads.filter((id) => office.agent.resumesOf(id).length !== 1)).toEqual([]);
    },
    START_MS,
  );
});
