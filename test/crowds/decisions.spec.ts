/** Four hubs on one Redis are told to decide the same 900 tasks at once, each otherwise. */
import { Screen, until } from '@triptych/testkit';
import type { TaskView } from '@triptych/protocol';
import { Redis } from 'ioredis';
import pLimit from 'p-limit';
import { hasRedisServer } from '../redis/own-redis.js';
import { verifies } from '../spec/verifies.js';
import { AskingAgent } from '../stand/asking-agent.js';
import { Caller } from '../stand/caller.js';
import { House } from '../stand/house.js';
import { outboxOf } from '../stand/outbox.js';

const HUBS = 4;
const THREADS = 300;
const TASKS_A_THREAD = 3;
/** What one person has under way at once. */
const LANES = 16;
const PAGE = 200;
const CROWD_MS = 600_000;

const VERBS = ['approve', 'reject', 'cancel'] as const;
const KIND = { approve: 'approved', reject: 'rejected', cancel: 'cancelled' } as const;

const AGENTS = (url: string): string => `agents:
  - { id: asking, connect: { type: http, url: '${url}' }, roles: [customer] }
`;
const POLICY = `surfaces:
  customer: {}
  reviewer: { tools: { '*': { args: [''] } } }
approvals:
  rules: [{ id: any, match: { reason: tool_call } }]
`;

interface Answer {
  readonly person: string;
  readonly verb: (typeof VERBS)[number];
  readonly code: string;
  /** Who decided, as far as a refusal tells. */
  readonly by?: unknown;
}

interface Reviewer {
  readonly name: string;
  readonly screen: Screen;
  readonly verbOn: (nth: number) => Answer['verb'];
}

if (!hasRedisServer()) process.stderr.write('crowds: skipped, no redis-server on this machine\n');
(hasRedisServer() ? describe : describe.skip)('a crowd that disagrees', () => {
  const threads = Array.from({ length: THREADS }, (_, nth) => `crowd-${nth}`);
  let house: House;
  let agent: AskingAgent;
  let redis: Redis;
  let reviewers: readonly Reviewer[];

  beforeAll(async () => {
    agent = await AskingAgent.start();
    const files = { agents: AGENTS(agent.url), policy: POLICY };
    house = await House.start({ hubs: HUBS, workers: 1, memory: 'hasty', env: { LINGER_MS: '0' }, ...files });
    redis = new Redis(house.redis.url);
    reviewers = await Promise.all(
      house.hubs.map(async ({ directUrl }, nth) => {
        const name = `reviewer-${nth}`;
        const token = await house.issuer.sign({ sub: name, roles: ['reviewer'] });
        const screen = await Screen.open(directUrl, 'reviewer', token);
        return { name, screen, verbOn: (task: number) => VERBS[(task + nth) % VERBS.length] ?? 'approve' };
      }),
    );
  }, CROWD_MS);
  afterAll(async () => {
    redis?.disconnect();
    await Promise.all((reviewers ?? []).map(({ screen }) => screen.close()));
    await house?.stop();
    await agent?.stop();
  }, CROWD_MS);

  const ask = async (): Promise<void> => {
    const token = await house.issuer.sign({ sub: 'amelia', roles: ['customer'] });
    const lane = pLimit(LANES);
    const wishes = Array.from({ length: TASKS_A_THREAD }, (_, nth) => ({ tool: 'pay', args: { nth } }));
    const begin = async (threadId: string, nth: number): Promise<void> => {
      agent.wants(threadId, wishes);
      const hub = house.hubs[nth % HUBS] ?? house.hub;
      const input = { threadId, runId: `${threadId}-r`, messages: [], tools: [], context: [] };
      const { code } = await new Caller(hub.directUrl, token).ask('/v1/agents/asking/run', input);
      expect(code).toBe('ok');
    };
    await Promise.all(threads.map((threadId, nth) => lane(() => begin(threadId, nth))));
  };

  const openTasks = async (): Promise<readonly TaskView[]> => {
    const token = await house.issuer.sign({ sub: 'mo', roles: ['operator'] });
    const operator = new Caller(house.hub.directUrl, token);
    const found: TaskView[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const path = `/v1/approvals?limit=${PAGE}${after}`;
      const page: { items: TaskView[]; nextCursor?: string } = await operator.get(path);
      found.push(...page.items);
      cursor = page.nextCursor;
    }
    return found;
  };

  /** Everybody goes through the tasks in one order, so that they meet, and clicks twice. */
  const decideAll = async (tasks: readonly TaskView[]): Promise<ReadonlyMap<string, Answer[]>> => {
    const answers = new Map(tasks.map(({ taskId }): [string, Answer[]] => [taskId, []]));
    const click = async ({ name, screen, verbOn }: Reviewer, task: TaskView, nth: number): Promise<void> => {
      const { taskId, rev, proposalHash } = task;
      const verb = verbOn(nth);
      const asked = screen.ask('task.decide', { taskId, rev, proposalHash, verb });
      const told = await asked.then(
        () => ({ code: 'ok' }),
        ({ code, data }: { code: string; data: { details?: { by?: unknown } } }) => ({
          code,
          by: data.details?.by,
        }),
      );
      answers.get(taskId)?.push({ person: name, verb, ...told });
    };
    await Promise.all(
      reviewers.map(async (reviewer) => {
        const lane = pLimit(LANES);
        await Promise.all(
          tasks.flatMap((task, nth) => [0, 1].map(() => lane(() => click(reviewer, task, nth)))),
        );
      }),
    );
    return answers;
  };

  const verdictOf = (answers: readonly Answer[]): Pick<Answer, 'person' | 'verb'> => {
    const [won, again, ...others] = answers.filter(({ code }) => code === 'ok');
    if (!won) throw new Error('Nobody decided.');
    expect({ again, others }).toEqual({ again: won, others: [] });
    for (const late of answers.filter(({ code }) => code !== 'ok'))
      expect(late).toMatchObject({ code: 'ALREADY_DECIDED', by: [won.person] });
    return won;
  };

  const countsOf = async (threadId: string) => {
    const lines = await outboxOf(redis, threadId);
    const count = (action: string): number => lines.filter((line) => line.action === action).length;
    return { opened: count('opened'), decided: count('decided'), ready: count('ready'), done: count('done') };
  };

  verifies(
    'HUB-98',
    '900 tasks, four hubs, 7,200 conflicting answers: 900 decided, none twice, 300 batches ready once and sent once',
    async () => {
      await ask();
      const tasks = await openTasks();
      expect(tasks).toHaveLength(THREADS * TASKS_A_THREAD);
      const answers = await decideAll(tasks);
      await until(async () => agent.resumes.length >= THREADS);
      await until(async () => (await Promise.all(threads.map(countsOf))).every(({ done }) => done > 0));
      const once = { opened: TASKS_A_THREAD, decided: TASKS_A_THREAD, ready: 1, done: 1 };
      expect(await Promise.all(threads.map(countsOf))).toEqual(threads.map(() => once));
      expect(agent.resumes.map(({ threadId }) => threadId).toSorted()).toEqual(threads.toSorted());
      const sent = new Map(
        agent.resumes.flatMap(({ threadId, resume = [] }) =>
          resume.map((entry) => [`${threadId} ${entry.interruptId}`, entry] as const),
        ),
      );
      expect(sent.size).toBe(tasks.length);
      for (const { taskId, threadId, interruptId } of tasks) {
        const { person, verb } = verdictOf(answers.get(taskId) ?? []);
        const entry = sent.get(`${threadId} ${interruptId}`);
        expect(entry).toMatchObject({
          status: verb === 'cancel' ? 'cancelled' : 'resolved',
          metadata: { hub: { actor: person } },
          ...(verb === 'cancel' ? {} : { payload: { approved: KIND[verb] === 'approved' } }),
        });
      }
    },
    CROWD_MS,
  );
});
