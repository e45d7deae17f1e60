/** From a change to every card: on real Redis, with a board that has bad days, and workers that die. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeRedis, connectRedis, createLog, noticeSet } from '@triptych/platform';
import { until } from '@triptych/testkit';
import type { Redis } from 'ioredis';
import { verifies } from '../../../../test/spec/verifies.js';
import { Board } from '../../test/board.js';
import { decided, Questions, taskOf, viewOf } from '../../test/views.js';
import { laneKeys } from '../adapters/bridge-keys.js';
import { RedisPostingStore } from '../adapters/redis-posting-store.js';
import { compileBridges, type Bridges } from '../core/bridges.js';
import type { Unmet } from '../core/needs.js';
import { People } from '../core/people.js';
import { DeadLetters } from './dead-letters.js';
import { Notifier } from './notifier.js';

/** Thousands of calls to the store, one after the other. */
const PATIENCE_MS = 120_000;

const idOf = (): string =>
  [16, 12, 12]
    .map((bytes) =>
      randomBytes(bytes)
        .toString('base64url')
        .slice(0, bytes === 16 ? 22 : 16),
    )
    .join('.');

const bridgesOf = (names: readonly string[], deliver: string): Bridges => {
  const read = compileBridges(
    {
      destinations: names.map((id) => ({
        id,
        kind: 'slack',
        address: `C${id.slice(-12).toUpperCase()}`,
      })),
      routes: [{ match: { rule: 'large-*', group: 'advisors' }, to: names, deliver }],
    },
    {},
  );
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
};

interface WorkerPlan {
  readonly deaf?: boolean;
  readonly unmet?: Unmet;
}

describe('what destinations are told', () => {
  let redis: Redis;
  let board: Board;
  let questions: Questions;
  let taskId: string;
  let works: Promise<void>[];
  const fresh = (name: string): string => `${name}-${randomBytes(6).toString('hex')}`;
  const addressOf = (bridges: Bridges, id: string): string => bridges.destinations.get(id)!.address;

  beforeAll(async () => {
    redis = await connectRedis(process.env['REDIS_URL']!, 'commands', {
      log: createLog({ level: 'silent' }),
    });
  });
  beforeEach(() => {
    board = new Board();
    works = [];
    questions = new Questions();
    taskId = idOf();
    questions.put(taskOf(viewOf(taskId)));
  });
  afterEach(async () => void (await Promise.all(works)));
  afterAll(() => closeRedis(redis));

  const batchOf = (id: string): string => id.slice(0, id.lastIndexOf('.'));

  /** A worker whose knocks come at once, or never. */
  const workerOn = (bridges: Bridges, { deaf = false, unmet = new Map() }: WorkerPlan = {}): Notifier => {
    const notifier: Notifier = new Notifier({
      store: new RedisPostingStore(redis),
      tasks: questions,
      bridges,
      people: new People([]),
      ...{ speak: new Map([['slack', board]]), unmet },
      knocks: {
        work: async (destination, at, now) => {
          if (!deaf && at <= now) works.push(notifier.work(destination));
        },
      },
      linkTo: (id) => `http://hub/reviewer?task=${id}`,
      chance: () => 0,
      sleep: (ms, signal) => sleep(ms, undefined, { ref: false, ...(signal ? { signal } : {}) }),
      worker: randomUUID(),
      report: () => undefined,
    });
    return notifier;
  };
  const workAll = async (notifier: Notifier, bridges: Bridges): Promise<void> => {
    for (const id of bridges.destinations.keys()) await notifier.work(id);
  };

  verifies(
    'BRG-7',
    'is the task as it is: a card is posted, and the same one changed when the task does',
    async () => {
      const bridges = bridgesOf([fresh('one'), fresh('two')], 'all');
      const worker = workerOn(bridges, { deaf: true });
      await worker.heard(batchOf(taskId));
      await workAll(worker, bridges);
      expect(board.cards.map(({ text }) => text)).toEqual(['pending 1', 'pending 1']);
      expect(board.notices.map(({ what, unsure, link }) => [what, unsure, link])).toEqual(
        Array(2).fill(['created', false, `http://hub/reviewer?task=${taskId}`]),
      );
      await worker.heard(batchOf(taskId));
      await workAll(worker, bridges);
      expect(board.notices).toHaveLength(2);
      questions.put(taskOf(decided(viewOf(taskId))));
      await worker.heard(batchOf(taskId));
      await workAll(worker, bridges);
      expect(board.cards.map(({ text, updates }) => [text, updates])).toEqual(
        Array(2).fill(['decided 1', 1]),
      );
      expect(board.notices.at(-1)).toMatchObject({ what: 'decided', posted: board.cards[1]!.posted });
      const [first, , last] = board.notices;
      expect([first!.noticeId === last!.noticeId, first!.changeId === last!.changeId]).toEqual([true, false]);
    },
  );

  verifies(
    'BRG-124',
    'goes to the next where something is missing for it, and is tried there all the same',
    async () => {
      const [one, two] = [fresh('unset'), fresh('next')];
      const unmet = new Map([[one, ['SLACK_BOT_TOKEN']]]);
      const first = bridgesOf([one, two], 'first');
      const worker = workerOn(first, { deaf: true, unmet });
      await worker.heard(batchOf(taskId));
      await workAll(worker, first);
      expect(board.notices.map(({ destination }) => destination.id)).toEqual([two]);
      const all = bridgesOf([one], 'all');
      const again = workerOn(all, { deaf: true, unmet });
      await again.heard(batchOf(taskId));
      await again.work(one);
      expect(board.notices).toHaveLength(1);
      const [posting] = await new RedisPostingStore(redis).postings([{ taskId, destination: one }]);
      expect(posting?.failing).toMatchObject({ attempts: 1, why: 'This is missing: SLACK_BOT_TOKEN.' });
    },
  );

  verifies(
    'BRG-115',
    'waits for itself alone where one task waits: the next is shown meanwhile',
    async () => {
      const id = fresh('patient');
      const bridges = bridgesOf([id], 'all');
      const worker = workerOn(bridges, { deaf: true });
      board.moods.set(addressOf(bridges, id), [{ kind: 'waits', forMs: 600_000 }]);
      const other = viewOf(idOf());
      questions.put(taskOf(other));
      await worker.heard(batchOf(taskId));
      await worker.work(id);
      await worker.heard(other.batch.batchId);
      await worker.work(id);
      expect(board.notices.map(({ task }) => task.taskId)).toEqual([taskId, other.taskId]);
      expect(board.cards).toHaveLength(1);
      const store = new RedisPostingStore(redis);
      const [waiting] = await store.postings([{ taskId, destination: id }]);
      expect(waiting).not.toHaveProperty('failing');
    },
  );

  verifies(
    'BRG-7',
    'is found in the index by whoever heard nothing, and looked for until it is shown',
    async () => {
      const bridges = bridgesOf([fresh('quiet')], 'all');
      const worker = workerOn(bridges);
      await noticeSet(redis).watch(batchOf(taskId), Date.now() - 1);
      await worker.round();
      await until(() => Promise.resolve(board.cards.length === 1));
    },
  );

  verifies('BRG-11', 'is found in its lane by whoever was not knocked up', async () => {
    const id = fresh('unknocked');
    const worker = workerOn(bridgesOf([id], 'all'), { deaf: true });
    await worker.heard(batchOf(taskId));
    expect(board.cards).toEqual([]);
    const waiting = await worker.round();
    expect(waiting).toEqual([id]);
    await worker.work(id);
    expect(board.cards).toHaveLength(1);
    expect(await worker.round()).toEqual([]);
  });

  verifies(
    'BRG-8',
    'is there once, though a hundred answers were lost',
    async () => {
      const id = fresh('lossy');
      const bridges = bridgesOf([id], 'all');
      const worker = workerOn(bridges, { deaf: true });
      const tasks = Array.from({ length: 100 }, () => viewOf(idOf()));
      board.moods.set(addressOf(bridges, id), Array(100).fill('drop'));
      for (const view of tasks) {
        questions.put(taskOf(view));
        await worker.heard(view.batch.batchId);
      }
      // What was not answered is due a second later.
      await until(async () => {
        for (const waiting of await worker.round()) await worker.work(waiting);
        return board.notices.length === 200;
      });
      expect(board.notices.filter(({ unsure }) => unsure)).toHaveLength(100);
      expect(board.notices.every(({ posted }) => posted === undefined)).toBe(true);
      expect([board.cards.length, board.searches]).toEqual([100, 100]);
      expect(new Set(board.cards.map(({ noticeId }) => noticeId)).size).toBe(100);
    },
    PATIENCE_MS,
  );

  verifies(
    'BRG-8',
    'is looked for by the next worker when one died between posting and noting it',
    async () => {
      const id = fresh('deadly');
      const bridges = bridgesOf([id], 'all');
      board.moods.set(addressOf(bridges, id), ['die']);
      const dying = workerOn(bridges, { deaf: true });
      await dying.heard(batchOf(taskId));
      // Its attempt ends long after this test, when nobody is there to hear of it.
      void dying.work(id).catch(() => undefined);
      await until(() => Promise.resolve(board.cards.length === 1));
      // Its lead and its entry run out; the next one takes both.
      await redis.del(laneKeys(id).lead);
      await redis.zadd(laneKeys(id).lane, 1, taskId);
      const next = workerOn(bridges, { deaf: true });
      await next.work(id);
      expect(board.notices.map(({ unsure }) => unsure)).toEqual([false, true]);
      expect(board.cards).toHaveLength(1);
    },
  );

  verifies('BRG-9', 'waits where it is limited, which costs no attempt, and nowhere else', async () => {
    const [slow, fast] = [fresh('slow'), fresh('fast')];
    const bridges = bridgesOf([slow, fast], 'all');
    const worker = workerOn(bridges, { deaf: true });
    board.moods.set(addressOf(bridges, slow), [{ kind: 'later', retryAfterMs: 600_000 }]);
    await worker.heard(batchOf(taskId));
    await worker.work(slow);
    await worker.work(fast);
    expect(board.at(addressOf(bridges, fast))).toHaveLength(1);
    // Others that come now do not even ask.
    const other = viewOf(idOf());
    questions.put(taskOf(other));
    await worker.heard(other.batch.batchId);
    await worker.work(slow);
    expect(board.at(addressOf(bridges, slow))).toEqual([]);
    expect(board.notices).toHaveLength(2);
    const { hold, lane } = laneKeys(slow);
    await redis.del(hold);
    await redis.zadd(lane, 1, taskId);
    await until(async () => {
      for (const id of await worker.round()) await worker.work(id);
      return board.at(addressOf(bridges, slow)).length === 2;
    });
    expect(board.notices.filter(({ unsure }) => unsure)).toEqual([]);
  });

  verifies('BRG-9', 'is worked through by one worker at a time', async () => {
    const id = fresh('shared');
    const bridges = bridgesOf([id], 'all');
    const workers = [workerOn(bridges, { deaf: true }), workerOn(bridges, { deaf: true })];
    for (let nth = 0; nth < 20; nth += 1) {
      const view = viewOf(idOf());
      questions.put(taskOf(view));
      await workers[nth % 2]!.heard(view.batch.batchId);
    }
    board.pace.ms = 5;
    await Promise.all(workers.map((worker) => worker.work(id)));
    for (const waiting of await workers[0]!.round()) await workers[0]!.work(waiting);
    expect([board.cards.length, board.notices.length, board.pace.most]).toEqual([20, 20, 1]);
  });

  verifies(
    'BRG-5',
    'goes to the next destination of its route where the first refuses, and stays there',
    async () => {
      const [first, second] = [fresh('first'), fresh('second')];
      const bridges = bridgesOf([first, second], 'first');
      const worker = workerOn(bridges);
      board.moods.set(addressOf(bridges, first), [{ kind: 'refused', why: 'channel_not_found' }]);
      await worker.heard(batchOf(taskId));
      await until(() => Promise.resolve(board.at(addressOf(bridges, second)).length === 1));
      questions.put(taskOf(decided(viewOf(taskId))));
      await worker.heard(batchOf(taskId));
      await until(() => Promise.resolve(board.at(addressOf(bridges, second))[0]?.text === 'decided 1'));
      expect(board.at(addressOf(bridges, first))).toEqual([]);
      // Whoever comes next is not sent to the one that is ill.
      const other = viewOf(idOf());
      questions.put(taskOf(other));
      await worker.heard(other.batch.batchId);
      await until(() => Promise.resolve(board.at(addressOf(bridges, second)).length === 2));
      const letters = await new RedisPostingStore(redis).letters('default', { limit: 50 });
      expect(letters.filter(({ destination }) => destination === first)).toMatchObject([
        { taskId, threadId: 't-1', kind: 'slack', why: 'channel_not_found', attempts: 1 },
      ]);
    },
  );

  verifies(
    'BRG-12',
    'is listed for operators of its tenant when it is given up, and sent again as it is then',
    async () => {
      const id = fresh('dead');
      const bridges = bridgesOf([id], 'all');
      const worker = workerOn(bridges, { deaf: true });
      const store = new RedisPostingStore(redis);
      const letters = new DeadLetters({ store, knocks: { work: (lane) => worker.work(lane) } });
      const as = (role: 'operator' | 'reviewer', tenant = 'default') => ({
        ...{ subject: 'mo', tenant, roles: [role], groups: [], issuedAt: 0, expiresAt: 9e12 },
      });
      board.moods.set(addressOf(bridges, id), [{ kind: 'refused', why: 'is_archived' }]);
      await worker.heard(batchOf(taskId));
      await worker.work(id);
      const page = await letters.list(as('operator'), { limit: 200 });
      const letter = page.ok ? page.value.items.find(({ destination }) => destination === id) : undefined;
      expect(letter).toMatchObject({ taskId, why: 'is_archived', attempts: 1 });
      expect(letter).not.toHaveProperty('tenant');
      const codeOf = async (asked: Promise<{ ok: boolean; refusal?: { code: string } }>) =>
        (await asked).refusal?.code;
      expect(await codeOf(letters.list(as('reviewer'), {}))).toBe('FORBIDDEN');
      expect(await codeOf(letters.resend(as('reviewer'), letter!.id))).toBe('FORBIDDEN');
      expect(await codeOf(letters.resend(as('operator', 'acme'), letter!.id))).toBe('NOT_FOUND');
      expect(await codeOf(letters.list(as('operator'), { cursor: 'x' }))).toBe('INVALID_INPUT');
      questions.put(taskOf(decided(viewOf(taskId))));
      await worker.heard(batchOf(taskId));
      await worker.work(id);
      expect(board.cards).toEqual([]);
      expect(await letters.resend(as('operator'), letter!.id)).toMatchObject({ ok: true, value: { taskId } });
      expect(board.cards.map(({ text }) => text)).toEqual(['decided 1']);
      expect(await store.letter('default', letter!.id)).toBeUndefined();
    },
  );

  verifies(
    'BRG-99',
    'is asked of nobody who wants nothing more, until one of its letters is sent again',
    async () => {
      const id = fresh('gone');
      const bridges = bridgesOf([id], 'all');
      const worker = workerOn(bridges, { deaf: true });
      const store = new RedisPostingStore(redis);
      const letters = new DeadLetters({ store, knocks: { work: (lane) => worker.work(lane) } });
      const [first, second] = [viewOf(taskId), viewOf(idOf())];
      board.moods.set(addressOf(bridges, id), [{ kind: 'gone', why: '410' }]);
      for (const view of [first, second]) {
        questions.put(taskOf(view));
        await worker.heard(view.batch.batchId);
        await worker.work(id);
      }
      expect(board.notices).toHaveLength(1);
      const found = (await store.letters('default', { limit: 200 })).filter(
        (each) => each.destination === id,
      );
      expect(found.map(({ why }) => why)).toEqual(['410', '410']);
      expect(new Set(found.map((letter) => letter.taskId))).toEqual(new Set([taskId, second.taskId]));
      const mo = { subject: 'mo', tenant: 'default', groups: [], issuedAt: 0, expiresAt: 9e12 };
      for (const letter of found) await letters.resend({ ...mo, roles: ['operator'] }, letter.id);
      expect(board.cards.map(({ text }) => text)).toEqual(['pending 1', 'pending 1']);
    },
  );

  verifies(
    'BRG-12',
    'is paged through newest first, also where many were given up in one moment',
    async () => {
      const store = new RedisPostingStore(redis);
      const tenant = fresh('tenant');
      const told = { tenant, taskId, threadId: 't', destination: 'd', kind: 'slack', why: 'x', attempts: 1 };
      const all = Array.from({ length: 25 }, (_, nth) => ({
        ...told,
        id: `l-${String(nth).padStart(2, '0')}`,
        at: 1_000 + Math.floor(nth / 7),
      }));
      for (const letter of all) await store.bury(letter);
      const seen: string[] = [];
      for (let after; ;) {
        const page = await store.letters(tenant, { limit: 4, ...(after ? { after } : {}) });
        seen.push(...page.map(({ id }) => id));
        after = page.at(-1);
        if (page.length < 4) break;
      }
      expect(seen).toEqual(all.map(({ id }) => id).toReversed());
    },
  );
});
