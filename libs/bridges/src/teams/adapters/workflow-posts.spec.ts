/** Notices to workflows, over real sockets, to one that takes them, loses them, or is not there. */
import { randomUUID } from 'node:crypto';
import { shapeOf } from '@triptych/access';
import { closeRedis, connectRedis, createLog } from '@triptych/platform';
import type { Redis } from 'ioredis';
import { FakeWorkflow } from '../../../../../test/fakes/teams/fake-workflow.js';
import { verifies } from '../../../../../test/spec/verifies.js';
import { decidedTask, taskOf } from '../../../test/teams-task.js';
import type { Notice } from '../../core/bridge.js';
import { RedisTeamsBook } from './redis-teams-book.js';
import { WorkflowPosts } from './workflow-posts.js';

const OPEN = { loopback: true, privateHosts: [] };

describe('a notice to a workflow', () => {
  let redis: Redis;
  let flow: FakeWorkflow;
  let posts: WorkflowPosts;
  const postsWithin = (reach: typeof OPEN): WorkflowPosts =>
    new WorkflowPosts({
      ...{ book: new RedisTeamsBook(redis), reach, now: Date.now },
      report: (failure) => {
        throw failure;
      },
    });
  beforeAll(async () => {
    redis = await connectRedis(process.env['REDIS_URL']!, 'commands', {
      log: createLog({ level: 'silent' }),
    });
    posts = postsWithin(OPEN);
  });
  afterAll(() => closeRedis(redis));
  beforeEach(async () => {
    flow = await FakeWorkflow.start();
  });
  afterEach(() => flow.stop());

  const noticeOf = (over: Partial<Notice<'teams'>> = {}): Notice<'teams'> => ({
    ...{ noticeId: randomUUID(), changeId: randomUUID(), names: {}, what: 'created', chat: true },
    ...{ task: taskOf(), link: 'http://127.0.0.1:4000/reviewer?task=1', unsure: false },
    destination: {
      ...{ id: 'flow', kind: 'teams', tenant: 'default', args: shapeOf(['']), address: flow.url },
      ...{ mode: 'workflow', serviceUrl: 'https://smba.trafficmanager.net/teams/' },
    },
    ...over,
  });

  verifies(
    'BRG-75',
    'is given once when something is asked and once when it is over, with a link alone',
    async () => {
      const notice = noticeOf();
      const first = await posts.show(notice);
      expect(first).toEqual({ kind: 'shown', posted: 'asked' });
      expect(await posts.show({ ...notice, posted: 'asked', what: 'claimed' })).toEqual(first);
      const over = { ...notice, posted: 'asked', task: decidedTask };
      expect(await posts.show(over)).toEqual({ kind: 'shown', posted: 'over' });
      expect(await posts.show({ ...over, posted: 'over', what: 'resumed' })).toEqual({
        kind: 'shown',
        posted: 'over',
      });
      expect(flow.cards.map(({ actions }) => actions?.map(({ type }) => type))).toEqual(
        Array(2).fill(['Action.OpenUrl']),
      );
    },
  );

  verifies('BRG-116', 'whose answer was lost is not given again, but how it ended is', async () => {
    flow.meet({ kind: 'drop' });
    const notice = noticeOf();
    expect(await posts.show(notice)).toMatchObject({ kind: 'unsure' });
    expect(await posts.show({ ...notice, unsure: true })).toEqual({ kind: 'shown', posted: 'asked' });
    const other = noticeOf();
    flow.meet({ kind: 'drop' }, { kind: 'drop' });
    expect(await posts.show(other)).toMatchObject({ kind: 'unsure' });
    // Decided before it was tried again.
    const over = { ...other, task: decidedTask, unsure: true };
    expect(await posts.show(over)).toMatchObject({ kind: 'unsure' });
    expect(await posts.show(over)).toEqual({ kind: 'shown', posted: 'over' });
    expect(flow.cards).toHaveLength(3);
  });

  const ANSWERS: readonly (readonly [number, Record<string, string>, object])[] = [
    [500, {}, { kind: 'failed' }],
    [502, {}, { kind: 'failed' }],
    [302, { location: 'http://127.0.0.1:1/' }, { kind: 'failed' }],
    [408, {}, { kind: 'failed' }],
    [401, {}, { kind: 'refused' }],
    [404, {}, { kind: 'refused' }],
    [410, {}, { kind: 'gone' }],
    [429, { 'retry-after': '7' }, { kind: 'later', retryAfterMs: 7_000 }],
    [503, { 'retry-after': '7' }, { kind: 'later', retryAfterMs: 7_000 }],
  ];
  for (const [status, headers, delivery] of ANSWERS)
    verifies('BRG-116', `that is answered ${status} was not taken, and is given when it is`, async () => {
      flow.meet({ kind: 'answer', status, headers });
      const notice = noticeOf();
      expect(await posts.show(notice)).toMatchObject(delivery);
      expect(flow.cards).toEqual([]);
      expect(await posts.show({ ...notice, unsure: true })).toEqual({ kind: 'shown', posted: 'asked' });
      expect(flow.cards).toHaveLength(1);
    });

  verifies('BRG-116', 'goes where webhooks may go and nowhere else (threat 22)', async () => {
    const outside = postsWithin({ loopback: false, privateHosts: [] });
    expect(await outside.show(noticeOf())).toMatchObject({ kind: 'refused' });
    expect(flow.cards).toEqual([]);
    const gone = noticeOf();
    await flow.stop();
    expect(await posts.show(gone)).toMatchObject({ kind: 'failed' });
    flow = await FakeWorkflow.start();
  });
});
