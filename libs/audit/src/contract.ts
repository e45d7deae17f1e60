/** What every store of trails and every book of checkpoints must do: suites to be run against each of them. */
import { randomUUID } from 'node:crypto';
import {
  announceTrail,
  looseTrail,
  pendingTrails,
  threadTrail,
  timeToMs,
  TRAIL_GRACE_MS,
  writeTrail,
} from '@triptych/platform';
import type { TrailNote } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import { verifies } from '../../../test/spec/verifies.js';
import { noteOf, Notary } from '../test/notary.js';
import type { CheckpointBook } from './core/checkpoint-book.js';
import { checkpointLine } from './core/checkpoint.js';
import { START, type Link } from './core/chain.js';
import { link, recordIn, sealRecord } from './core/sealed-record.js';
import type { SealedTrail } from './core/sealed-trail.js';
import type { Found, Sealed, TrailStore } from './core/trail-store.js';

export interface TrailBench {
  readonly store: TrailStore;
  readonly trail: SealedTrail;
  /** To write notes, and to look at what is held. */
  readonly redis: Redis;
  close(): Promise<void>;
}

/** Hundreds of threads, on a machine that is busy. */
const MANY_MS = 120_000;
const LOOK = { limit: 100, recent: false };
const ONE = 'writer-1';
const TWO = 'writer-2';

export const trailStoreContract = (name: string, start: () => Promise<TrailBench>): void => {
  describe(`trails on ${name}`, () => {
    let bench: TrailBench;
    let tenant: string;
    let thread: string;
    beforeAll(async () => {
      bench = await start();
    });
    beforeEach(() => {
      tenant = `tenant ${randomUUID()}:{x}`;
      thread = `thread ${randomUUID()}`;
    });
    afterAll(() => bench.close());

    /** In a millisecond of its own: within one there is no order between streams. */
    const write = async (nth: number, over: Partial<TrailNote> = {}): Promise<void> => {
      const now = async (): Promise<number> => timeToMs(await bench.redis.time());
      for (const before = await now(); before === (await now()););
      await writeTrail(bench.redis, noteOf(nth, { tenant, subject: { thread }, ...over }));
    };

    const sealAs = async (writer: string, { standing, waiting }: Found): Promise<Sealed> => {
      const key = (await bench.store.keysOf(tenant, ['rita'])).get('rita')!;
      const links: Link[] = [];
      let head = { seq: standing.seq, hash: standing.hash };
      for (const one of waiting) {
        const locking = { about: key, from: key, nonce: () => Buffer.alloc(12) };
        head = link(head, sealRecord(head.seq + 1, recordIn(tenant, one), locking));
        links.push(head as Link);
      }
      return bench.store.seal(tenant, writer, {
        ...{ after: standing, links, waiting, passed: [], keys: [key.id] },
      });
    };
    const find = (): Promise<Found> => bench.store.find(tenant, LOOK);
    const nths = ({ waiting }: Found): unknown[] =>
      waiting.map(
        ({ text }) => (JSON.parse(text) as { after: { payload: { nth: number } } }).after.payload.nth,
      );

    verifies(
      'AUD-15',
      'what waits is found in the order of its times, from every stream of the tenant',
      async () => {
        await write(1);
        await write(2, { subject: {} });
        await write(3, { subject: { thread: `${thread} too` } });
        await write(4);
        const found = await find();
        expect(nths(found)).toEqual([1, 2, 3, 4]);
        expect(found.standing).toMatchObject(START);
        const tenants: string[] = [];
        for await (const each of bench.store.tenants()) tenants.push(each);
        expect(tenants).toContain(tenant);
      },
    );

    verifies(
      'AUD-15',
      'what waits is found once, however many threads are looked through',
      async () => {
        await write(1, { subject: {} });
        const threads = Array.from({ length: 450 }, (_, n) => `${thread} ${n}`);
        const now = timeToMs(await bench.redis.time());
        await Promise.all(threads.map((threadId) => announceTrail(bench.redis, { tenant, threadId, now })));
        await write(2);
        expect(nths(await find())).toEqual([1, 2]);
      },
      MANY_MS,
    );

    verifies('AUD-15', 'what is sealed waits no longer, and is read back as it was sealed', async () => {
      for (const nth of [1, 2, 3]) await write(nth);
      await bench.store.lead(tenant, ONE);
      const found = await find();
      expect(await sealAs(ONE, found)).toBe('sealed');
      expect(await bench.redis.xlen(threadTrail(thread))).toBe(0);
      await write(4);
      const next = await find();
      expect([nths(next), next.standing.seq]).toEqual([[4], 3]);
      expect(await sealAs(ONE, next)).toBe('sealed');
      const kept = await bench.trail.after(tenant, 0, 10);
      expect(kept.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
      expect(await bench.trail.head(tenant)).toEqual({ seq: 4, hash: kept[3]!.hash });
      expect((await bench.trail.after(tenant, 2, 1)).map(({ seq }) => seq)).toEqual([3]);
      expect((await bench.trail.before(tenant, 4, 2)).map(({ seq }) => seq)).toEqual([3, 2]);
    });

    verifies('AUD-15', 'what was read before another sealed it is not sealed again', async () => {
      await write(1);
      await bench.store.lead(tenant, ONE);
      const [first, second] = [await find(), await find()];
      expect(await sealAs(ONE, first)).toBe('sealed');
      expect(await sealAs(ONE, second)).toBe('moved');
      expect((await bench.trail.head(tenant)).seq).toBe(1);
    });

    verifies(
      'AUD-15',
      'what is sealed and could not be let go of is not found again, and goes later',
      async () => {
        await write(1);
        await bench.store.lead(tenant, ONE);
        const found = await find();
        const [entry] = await bench.redis.xrange(threadTrail(thread), '-', '+');
        await sealAs(ONE, found);
        // As if the sealer had died before it trimmed: the store's restart keeps the entry beside its mark.
        await bench.redis.del(threadTrail(thread));
        await bench.redis.xadd(threadTrail(thread), entry![0], ...entry![1]);
        expect((await find()).waiting).toEqual([]);
        await bench.store.tidy(tenant);
        expect(await bench.redis.xlen(threadTrail(thread))).toBe(0);
      },
    );

    verifies(
      'AUD-33',
      'what names another tenant is found apart, stays, and is announced to it',
      async () => {
        const other = `${tenant} too`;
        await write(1, { tenant: other });
        await write(2);
        const now = timeToMs(await bench.redis.time());
        await bench.redis.zrem(pendingTrails(other), thread);
        await announceTrail(bench.redis, { tenant, threadId: thread, now });
        await bench.store.lead(tenant, ONE);
        const found = await find();
        expect([nths(found), found.foreign.map(({ thread: of }) => of)]).toEqual([[2], [thread]]);
        expect(await bench.redis.zrange(pendingTrails(other), '0', '-1')).toEqual([thread]);
        expect(await sealAs(ONE, found)).toBe('sealed');
        await bench.store.tidy(tenant);
        expect(await bench.redis.xlen(threadTrail(thread))).toBe(1);
        expect(nths(await bench.store.find(other, LOOK))).toEqual([1]);
      },
    );

    verifies('AUD-15', 'a quiet thread is let go of, one that may still have a record is not', async () => {
      await write(1);
      await bench.store.lead(tenant, ONE);
      await sealAs(ONE, await find());
      await bench.store.tidy(tenant);
      expect(await bench.redis.zcard(pendingTrails(tenant))).toBe(1);
      const old = Date.now() - TRAIL_GRACE_MS - 60_000;
      await bench.redis.zadd(pendingTrails(tenant), String(old), thread);
      await write(2, { subject: { thread: `${thread} too` } });
      await bench.redis.zadd(pendingTrails(tenant), String(old), `${thread} too`);
      await bench.store.tidy(tenant);
      expect(await bench.redis.zrange(pendingTrails(tenant), '0', '-1')).toEqual([`${thread} too`]);
      await write(3);
      expect(nths(await find())).toEqual([2, 3]);
      expect(await sealAs(ONE, await find())).toBe('sealed');
      expect((await bench.trail.head(tenant)).seq).toBe(3);
    });

    verifies(
      'AUD-15',
      'where only those who spoke lately are asked, whoever belongs to no thread is too',
      async () => {
        await announceTrail(bench.redis, { tenant, threadId: thread, now: 1 });
        await bench.redis.xadd(threadTrail(thread), '*', 'record', JSON.stringify(noteOf(1, { tenant })));
        await write(2, { subject: {} });
        expect(nths(await bench.store.find(tenant, { limit: 9, recent: true }))).toEqual([2]);
        expect(new Set(nths(await find()))).toEqual(new Set([1, 2]));
        expect(await bench.redis.xlen(looseTrail(tenant))).toBe(1);
      },
    );

    verifies(
      'AUD-17',
      'one writer leads, and whoever was replaced seals and vouches for nothing',
      async () => {
        await write(1);
        expect(await bench.store.lead(tenant, ONE)).toBe(true);
        expect(await bench.store.lead(tenant, TWO)).toBe(false);
        expect(await sealAs(TWO, await find())).toBe('fenced');
        const [lead] = await bench.redis.keys(`*${encodeURIComponent(tenant)}*lead`);
        await bench.redis.del(lead!);
        const found = await find();
        expect(await sealAs(ONE, found)).toBe('fenced');
        expect(await bench.store.lead(tenant, TWO)).toBe(true);
        expect(await bench.store.lead(tenant, ONE)).toBe(false);
        const next = await new Notary().checkpoint(undefined, { seq: 1, hash: '00' }, tenant);
        expect(await bench.store.vouch(tenant, ONE, { after: undefined, next })).toBe(false);
        expect(await sealAs(TWO, found)).toBe('sealed');
      },
    );

    verifies('AUD-19', 'a checkpoint follows the last one, or is none', async () => {
      await bench.store.lead(tenant, ONE);
      const notary = new Notary();
      const first = await notary.checkpoint(undefined, { seq: 1, hash: '01' }, tenant);
      const second = await notary.checkpoint(first, { seq: 2, hash: '02' }, tenant);
      expect(await bench.store.vouch(tenant, ONE, { after: undefined, next: first })).toBe(true);
      expect(await bench.store.vouch(tenant, ONE, { after: undefined, next: first })).toBe(false);
      expect((await find()).standing.last).toEqual(first);
      expect(await bench.store.vouch(tenant, ONE, { after: first, next: second })).toBe(true);
      const lines = [first, second].map(checkpointLine);
      expect(await bench.store.checkpoints(tenant, 1, 10)).toEqual(lines);
      expect(await bench.store.checkpoints(tenant, 2, 10)).toEqual(lines.slice(1));
    });

    verifies(
      'AUD-26',
      'a subject has one key until it is dropped; nothing is sealed under one that was',
      async () => {
        const [one, two] = await Promise.all(
          [1, 2].map(() => bench.store.keysOf(tenant, ['amelia', 'rita'])),
        );
        expect(one).toEqual(two);
        const { id, secret } = one!.get('amelia')!;
        expect(await bench.trail.keyOf(tenant, 'amelia')).toBe(id);
        expect(await bench.trail.secrets(tenant, [id, 'none'])).toEqual(new Map([[id, secret]]));
        await bench.trail.dropKey(tenant, 'amelia');
        expect(await bench.trail.keyOf(tenant, 'amelia')).toBeUndefined();
        expect(await bench.trail.secrets(tenant, [id])).toEqual(new Map());
        expect((await bench.store.keysOf(tenant, ['amelia'])).get('amelia')!.id).not.toBe(id);
        await write(1);
        await bench.store.lead(tenant, ONE);
        const { standing: after, waiting } = await find();
        expect(
          await bench.store.seal(tenant, ONE, { ...{ after, links: [], waiting }, passed: [], keys: [id] }),
        ).toBe('moved');
      },
    );
  });
};

export interface BookBench {
  readonly book: CheckpointBook;
  /** Cuts so many bytes off the end of what was written for a tenant, as a death while writing does. */
  tear(tenant: string, bytes: number): void;
  close(): void;
}

export const checkpointBookContract = (name: string, start: () => BookBench): void => {
  describe(`checkpoints in ${name}`, () => {
    const bench = start();
    afterAll(() => bench.close());
    const allOf = async (tenant: string): Promise<string[]> => {
      const lines: string[] = [];
      for await (const line of bench.book.read(tenant)) lines.push(line);
      return lines;
    };

    verifies('AUD-20', 'stay in order, each tenant’s for itself, whatever it is called', async () => {
      const tenants = ['acme', '../acme', 'a/b c', 'ä'.repeat(200), 'ä'.repeat(201)];
      for (const tenant of tenants) {
        expect([await bench.book.last(tenant), await allOf(tenant)]).toEqual([undefined, []]);
        await bench.book.add(tenant, [`${tenant} 1`, `${tenant} 2`]);
        await bench.book.add(tenant, []);
        await bench.book.add(tenant, [`${tenant} 3`]);
      }
      for (const tenant of tenants) {
        expect(await bench.book.last(tenant)).toBe(`${tenant} 3`);
        expect(await allOf(tenant)).toEqual([1, 2, 3].map((nth) => `${tenant} ${nth}`));
      }
    });

    verifies('AUD-20', 'of which the last was cut off go on behind it', async () => {
      const lines = ['one whole line', 'another whole line'];
      await bench.book.add('torn', lines);
      bench.tear('torn', 5);
      expect(await bench.book.last('torn')).toBe(lines[0]);
      await bench.book.add('torn', [lines[1]!]);
      expect(await bench.book.last('torn')).toBe(lines[1]);
      expect(await allOf('torn')).toEqual([lines[0], 'another whole ', lines[1]]);
    });
  });
};
