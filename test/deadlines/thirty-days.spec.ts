/** Thirty days pass for the store, with restarts in between, and what was parked is still there. */
import type { TaskView } from '@triptych/protocol';
import { hasRedisServer } from '../redis/own-redis.js';
import { verifies } from '../spec/verifies.js';
import { hasFaketime, movedClock } from '../stand/moved-clock.js';
import { Office } from '../stand/office.js';
import { expectApprovedOnce, expectExpiredOnce, storeNow } from './settled.js';

const START_MS = 300_000;
const STORY_MS = 300_000;
const DAY_S = 86_400;
const DAY_MS = DAY_S * 1_000;
const RULES = `
    - { id: brief, match: { reason: tool_call, tool: brief }, ttlMs: ${10 * DAY_MS} }
    - { id: long, match: { reason: tool_call }, ttlMs: ${40 * DAY_MS} }
`;
const LONG = { tool: 'long', args: {} };

const missing = [
  hasRedisServer() ? '' : 'no redis-server',
  hasFaketime() ? '' : 'no faketime library (Debian: apt-get install faketime)',
].filter(Boolean);
if (missing.length > 0) process.stderr.write(`thirty days: skipped, ${missing.join(', ')}\n`);

(missing.length === 0 ? describe : describe.skip)('thirty days', () => {
  const clock = hasFaketime() ? movedClock() : undefined;
  let office: Office;
  beforeAll(async () => {
    office = await Office.start({ rules: RULES, memory: 'safe', redisEnv: clock?.env ?? {} });
  }, START_MS);
  afterAll(async () => {
    await office?.stop();
    clock?.stop();
  }, START_MS);

  const one = async (threadId: string, wish: Parameters<Office['ask']>[1]): Promise<TaskView> => {
    const [task] = await office.ask(threadId, wish);
    if (!task) throw new Error(`No task on ${threadId}.`);
    return task;
  };
  const stateOf = async ({ taskId }: TaskView): Promise<string> => (await office.task(taskId)).state;

  verifies(
    'HUB-105',
    'row 79: a parked task outlives restarts of all, what ends on the way ends on its day, and a month later it is decided and sent once',
    async () => {
      const began = await storeNow(office);
      const parked = await one('parked', LONG);
      const brief = await one('brief', { tool: 'brief', args: {} });
      const twenty = new Date(began + 20 * DAY_MS).toISOString();
      const agentsOwn = await one('agents-own', { ...LONG, expiresAt: twenty });
      const screen = office.lasting('operator', 'mo');
      await screen.follow('parked');
      const restarts = [
        () => office.house.hub.restart(),
        () => office.house.workers[0]?.restart(),
        () => office.house.redis.kill().then(() => office.house.redis.start()),
      ];
      for (let day = 6; day <= 30; day += 6) {
        clock?.ahead(day * DAY_S);
        await restarts[(day / 6) % restarts.length]?.();
        await office.house.ready();
        expect(await storeNow(office)).toBeGreaterThanOrEqual(began + day * DAY_MS);
        expect(await stateOf(parked)).toBe('pending');
        if (day >= 12) await expectExpiredOnce(office, [brief]);
        else expect(await stateOf(brief)).toBe('pending');
        if (day >= 24) await expectExpiredOnce(office, [agentsOwn]);
        else expect(await stateOf(agentsOwn)).toBe('pending');
      }
      const { taskId, rev, proposalHash } = parked;
      const said = { verb: 'approve', rev, proposalHash };
      expect((await office.as('ann').ask(`/v1/approvals/${taskId}/decide`, said)).code).toBe('ok');
      await expectApprovedOnce(office, [parked]);
      await screen.until(
        'parked',
        ({ run, pending }) => pending === undefined && run?.finished !== undefined,
      );
      expect(screen.gaps).toEqual([]);
      await screen.close();
    },
    STORY_MS,
  );
});
