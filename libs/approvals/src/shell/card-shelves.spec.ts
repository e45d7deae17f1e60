/** When cards are believed that are kept in memory, and when the store is asked instead. */
import { parsePolicyText, type Policy } from '@triptych/access';
import { closeRedis, connectRedis, createLog } from '@triptych/platform';
import type { Redis } from 'ioredis';
import { ownDatabase } from '@triptych/testkit';
import { verifies } from '../../../../test/spec/verifies.js';
import { fresh, olga, policy as bank, rita, transferOf } from '../../test/bank.js';
import { Counter } from '../../test/counter.js';
import { RedisApprovalStore } from '../adapters/redis-approval-store.js';
import type { ApprovalStore } from '../core/approval-store.js';
import type { Batch } from '../core/batch.js';
import { cardOf } from '../core/inbox-card.js';
import { BeyondMemory, CARD_BYTES, CardShelf, MAX_UNREAD } from './card-shelf.js';
import { CardShelves } from './card-shelves.js';
import { Inbox } from './inbox.js';

const DATABASE = ownDatabase();
const heardAll = (): Promise<void> => Promise.resolve();

const readPolicy = (text: string): Policy => {
  const read = parsePolicyText(text, 'policy.yaml');
  if (!read.ok) throw new Error(read.why);
  return read.value;
};

describe('cards', () => {
  let counter: Counter;
  let redis: Redis;
  let policy = bank;
  /** How often the store was asked for batches. */
  let loads = 0;
  beforeAll(async () => {
    counter = await Counter.start(DATABASE);
    redis = await connectRedis(`${process.env['REDIS_URL']}/${DATABASE}`, 'commands', {
      log: createLog({ level: 'silent' }),
    });
  });
  afterAll(async () => {
    await counter.close();
    await closeRedis(redis);
  });
  beforeEach(() => {
    [policy, loads] = [bank, 0];
  });

  const inboxOf = (maxBytes?: number): { inbox: Inbox; shelves: CardShelves } => {
    const store: ApprovalStore = new RedisApprovalStore(redis);
    const loadAll = store.loadAll.bind(store);
    store.loadAll = (ids) => {
      if (ids.length > 0) loads += 1;
      return loadAll(ids);
    };
    const desk = {
      store,
      policy: () => policy,
      report: () => undefined,
    };
    const shelves = new CardShelves(desk, maxBytes);
    return { shelves, inbox: new Inbox(desk, shelves) };
  };
  const fill = async (tenant: string, count: number): Promise<string[]> => {
    const runs = [];
    for (let i = 0; i < count; i += 1)
      runs.push(await counter.open(transferOf(500, { tenant, threadId: fresh('thread') })));
    return runs.flatMap(({ taskIds }) => taskIds);
  };
  const countOf = async (inbox: Inbox, tenant: string) => {
    const counts = await inbox.counts({ ...rita, tenant }, {});
    return counts.ok ? counts.value : counts.refusal;
  };

  verifies('APR-83', 'are read once, and again only where something was heard of', async () => {
    const tenant = fresh('tenant');
    const [taskId = ''] = await fill(tenant, 3);
    const { inbox, shelves } = inboxOf();
    shelves.follow(heardAll);
    expect(await countOf(inbox, tenant)).toEqual({ pending: 3 });
    expect(await countOf(inbox, tenant)).toEqual({ pending: 3 });
    expect(loads).toBe(1);
    await counter.approvals.claim({ ...rita, tenant }, taskId);
    shelves.heard(tenant, taskId);
    expect(await countOf(inbox, tenant)).toEqual({ pending: 2, claimed: 1 });
    expect(loads).toBe(2);
    const [next = ''] = await fill(tenant, 1);
    shelves.heard(tenant, next);
    expect(await countOf(inbox, tenant)).toEqual({ pending: 3, claimed: 1 });
  });

  verifies('APR-97', 'are let go of when too much was heard of them that nobody asked for', async () => {
    const tenant = fresh('tenant');
    const [taskId = ''] = await fill(tenant, 2);
    const { inbox, shelves } = inboxOf();
    shelves.follow(heardAll);
    expect(await countOf(inbox, tenant)).toEqual({ pending: 2 });
    const hear = (count: number): void => {
      for (let nth = 0; nth < count; nth += 1)
        shelves.heard(tenant, `${taskId.slice(0, 23)}${String(nth).padStart(16, '0')}${taskId.slice(39)}`);
    };
    await counter.approvals.claim({ ...rita, tenant }, taskId);
    hear(MAX_UNREAD + 1);
    loads = 0;
    // Not by what was heard, which did not name it.
    expect(await countOf(inbox, tenant)).toEqual({ pending: 1, claimed: 1 });
    expect(loads).toBe(1);
  });

  verifies('APR-83', 'are not believed once news may have been missed', async () => {
    const tenant = fresh('tenant');
    const [taskId = ''] = await fill(tenant, 2);
    const { inbox, shelves } = inboxOf();
    shelves.follow(heardAll);
    expect(await countOf(inbox, tenant)).toEqual({ pending: 2 });
    shelves.follow(undefined);
    await counter.approvals.claim({ ...rita, tenant }, taskId);
    expect(await countOf(inbox, tenant)).toEqual({ pending: 1, claimed: 1 });
    shelves.follow(heardAll);
    expect(await countOf(inbox, tenant)).toEqual({ pending: 1, claimed: 1 });
    // Cut in the middle of a question: what was read is not told.
    shelves.follow(async () => {
      shelves.follow(undefined);
      await counter.approvals.release({ ...rita, tenant }, taskId);
    });
    expect(await countOf(inbox, tenant)).toEqual({ pending: 2 });
  });

  verifies('APR-83', 'a change that comes while they are first read is among them', async () => {
    const tenant = fresh('tenant');
    const ids = await fill(tenant, 4);
    const { inbox, shelves } = inboxOf();
    shelves.follow(heardAll);
    const asked = countOf(inbox, tenant);
    const [first = '', second = ''] = ids;
    for (const taskId of [first, second]) {
      await counter.approvals.claim({ ...rita, tenant }, taskId);
      shelves.heard(tenant, taskId);
    }
    await asked;
    expect(await countOf(inbox, tenant)).toEqual({ pending: 2, claimed: 2 });
  });

  verifies(
    'APR-83',
    'a change that comes while the past is read is known, though that came to nothing',
    async () => {
      const tenant = fresh('tenant');
      const reject = async (taskId: string) => {
        const task = await counter.approvals.get({ ...rita, tenant }, taskId);
        if (!task.ok) throw new Error(task.refusal.code);
        await counter.approvals.decide({ ...rita, tenant }, taskId, { ...task.value, verb: 'reject' });
      };
      const ask = (...ids: string[]) =>
        counter.open({ interrupts: ids.map((id) => ({ id, reason: 'confirmation' })), tenant });
      const [half, over] = [await ask('a', 'b'), await ask('c', 'd')];
      for (const taskId of [...over.taskIds, ...half.taskIds.slice(1)]) await reject(taskId);
      const store = new RedisApprovalStore(counter.redis);
      const loadAll = store.loadAll.bind(store);
      const options = {
        ...{ tenant, maxBytes: 4.5 * CARD_BYTES },
        cardsOf: (batch: Batch) =>
          batch.tasks.map((task) => cardOf(batch, task, { texts: { operator: '', audience: '' }, sums: {} })),
      };
      const shelf = new CardShelf({ store, policy: () => bank, report: () => undefined }, options);
      await shelf.fill('open');
      store.loadAll = async (ids) => {
        store.loadAll = loadAll;
        const before = await loadAll(ids);
        await reject(half.taskIds[0] ?? '');
        // Together they are more than is kept, so that the past is given up.
        for (const { batchId } of [half, over, await ask('e')]) shelf.heard(batchId);
        await shelf.fresh();
        return before;
      };
      await expect(shelf.fill('past')).rejects.toThrow(BeyondMemory);
      await shelf.fresh();
      const open: string[] = [];
      shelf.visit({ ...rita, tenant }, false, ({ taskId }) => open.push(taskId));
      expect(open).toHaveLength(1);
      expect(half.taskIds).not.toContain(open[0]);
    },
  );

  verifies('APR-85', 'of the past that are too many are not tried again at each question', async () => {
    const tenant = fresh('tenant');
    for (const taskId of await fill(tenant, 6)) {
      const task = await counter.approvals.get({ ...rita, tenant }, taskId);
      if (!task.ok) throw new Error(task.refusal.code);
      await counter.approvals.decide({ ...rita, tenant }, taskId, { ...task.value, verb: 'reject' });
    }
    await fill(tenant, 1);
    const loadsOf = async (inbox: Inbox) => {
      loads = 0;
      const page = await inbox.list({ ...rita, tenant }, { states: ['pending', 'decided'] });
      expect(page.ok && page.value.items).toHaveLength(7);
      return loads;
    };
    const { inbox, shelves } = inboxOf(7_000);
    const walked = await loadsOf(inbox);
    shelves.follow(heardAll);
    expect(await loadsOf(inbox)).toBeGreaterThan(walked);
    expect(await loadsOf(inbox)).toBe(walked);
  });

  verifies('APR-84', 'are made anew by a new policy: what it hides is found no more', async () => {
    const tenant = fresh('tenant');
    await fill(tenant, 1);
    const { inbox, shelves } = inboxOf();
    shelves.follow(heardAll);
    const finds = async (actor: typeof rita, q: string) => {
      const page = await inbox.list({ ...actor, tenant }, { q });
      return page.ok && page.value.items.length;
    };
    expect([await finds(rita, 'ann'), await finds(rita, '12-34')]).toEqual([1, 0]);
    policy = readPolicy(`
surfaces:
  reviewer: { tools: { "*": { args: [""], redact: ["/to"] } } }
approvals: { rules: [] }
`);
    expect([await finds(rita, 'ann'), await finds(rita, '12-34')]).toEqual([0, 1]);
    expect([await finds(olga, 'ann'), await finds(olga, '12-34')]).toEqual([1, 1]);
  });

  verifies(
    'APR-85',
    'of more tasks than memory is meant for are read from the store: same answers',
    async () => {
      const tenant = fresh('tenant');
      const ids = await fill(tenant, 6);
      const { inbox, shelves } = inboxOf(5_000);
      shelves.follow(heardAll);
      for (const _ of [1, 2]) {
        expect(await countOf(inbox, tenant)).toEqual({ pending: 6 });
        const page = await inbox.list({ ...rita, tenant }, { states: ['pending', 'decided'] });
        expect(page.ok && page.value.items.map(({ taskId }) => taskId)).toEqual(ids.toReversed());
      }
      expect(loads).toBeGreaterThan(4);
    },
  );

  verifies('APR-85', 'of the tenant asked for least lately are forgotten first', async () => {
    const [a, b, c] = [fresh('tenant'), fresh('tenant'), fresh('tenant')];
    for (const tenant of [a, b, c]) await fill(tenant, 2);
    const { inbox, shelves } = inboxOf(7_000);
    shelves.follow(heardAll);
    const loadsFor = async (tenant: string) => {
      loads = 0;
      expect(await countOf(inbox, tenant)).toEqual({ pending: 2 });
      return loads;
    };
    expect([await loadsFor(a), await loadsFor(b), await loadsFor(a)]).toEqual([1, 1, 0]);
    expect([await loadsFor(c), await loadsFor(a), await loadsFor(b)]).toEqual([1, 0, 1]);
  });
});
