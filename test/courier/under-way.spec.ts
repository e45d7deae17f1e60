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
const MOST_TO_ONE = 50;
const BATCHES = MOST_TO_ONE + 15;
/** Runs that ask, begun at once. */
const AT_ONCE = 5;
const WISH = { tool: 'pay', args: {} };

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
      const tasks = await Promise.all(some.map((id) => office.ask(id, WISH)));
      asked.push(...tasks.flat());
    }
    return asked;
  };
  const approveAll = async (tasks: readonly TaskView[]): Promise<void> => {
    for (const { taskId, rev, proposalHash } of tasks) {
      const decision = { verb: 'approve', rev, proposalHash };
      expect((await office.as('ann').ask(`/v1/approvals/${taskId}/decide`, decision)).code).toBe('ok');
    }
  };
  /** Answers on these threads are under way until they are let go. */
  const holdOn = (threads: readonly string[]) => {
    const seen = { underWay: 0, most: 0 };
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    office.agent.watched(async (stage, input) => {
      if (!isAnswered(input) || !threads.includes(input.threadId)) return;
      if (stage === 'called') seen.most = Math.max(seen.most, (seen.underWay += 1));
      if (stage === 'begun') await held;
      if (stage === 'ended') seen.underWay -= 1;
    });
    return { seen, letGo };
  };
  const areClosed = async (threads: readonly string[]): Promise<boolean> => {
    const states = await Promise.all(threads.map((id) => office.tasksOf(id)));
    return states.flat().every(({ state }) => state === 'closed');
  };
  const threadsOf = (name: string): readonly string[] =>
    Array.from({ length: BATCHES }, (_, nth) => `${name}-${nth}`);

  verifies(
    'RUN-60',
    'are sent by one worker so many at a time to one agent and the others after them, each once; another agent waits for none of them',
    async () => {
      const threads = threadsOf('at-once');
      const tasks = await askAll(threads);
      expect(tasks).toHaveLength(BATCHES);
      const { seen, letGo } = holdOn(threads);
      await approveAll(tasks);
      await until(() => seen.underWay === MOST_TO_ONE);
      office.agent.wants('calm-1', [WISH]);
      await approveAll(await office.run('calm', 'calm-1'));
      await until(() => areClosed(['calm-1']));
      expect(seen).toEqual({ underWay: MOST_TO_ONE, most: MOST_TO_ONE });
      letGo();
      await until(() => areClosed(threads));
      expect(seen.most).toBe(MOST_TO_ONE);
      expect(threads.filter((id) => office.agent.resumesOf(id).length !== 1)).toEqual([]);
    },
    START_MS,
  );

  verifies(
    'RUN-64',
    'wait for the next worker where this one stops: of those that had not begun none is begun, and none is lost',
    async () => {
      const threads = threadsOf('stopped');
      const { seen, letGo } = holdOn(threads);
      await approveAll(await askAll(threads));
      await until(() => seen.underWay === MOST_TO_ONE);
      const begun = threads.filter((id) => office.agent.resumesOf(id).length > 0);
      const [worker] = office.house.workers;
      worker?.process.signal('SIGTERM');
      letGo();
      await until(() => worker?.process.isOver === true);
      expect(threads.filter((id) => office.agent.resumesOf(id).length > 0)).toEqual(begun);
      await worker?.restart();
      const others = threads.filter((id) => !begun.includes(id));
      await until(() => areClosed(others));
      expect(others.filter((id) => office.agent.resumesOf(id).length !== 1)).toEqual([]);
    },
    START_MS,
  );
});
