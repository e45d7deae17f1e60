/** What the log keeps of a thread beside its events, on every store. */
import { threadKey } from '@triptych/platform';
import { emptyModel, modelStep, prelude, type ThreadId, type ToldEntry } from '@triptych/protocol';
import { Reader, counting, newThread } from '../../../test/redis/log-reader.js';
import { verifies } from '../../../test/spec/verifies.js';
import { LOG_STORES } from '../test/log-stores.js';
import type { LogStore } from './contract.js';
import type { EventLog, NewEvent } from './core/event-log.js';

const agentSays = (event: object): NewEvent => ({ json: JSON.stringify(event), source: 'agent' });

/** One run of so many events. */
const run = (runId: string, events: number): NewEvent[] => [
  agentSays({ type: 'RUN_STARTED', threadId: 't', runId }),
  agentSays({ type: 'TEXT_MESSAGE_START', messageId: `m-${runId}`, role: 'assistant' }),
  ...counting(1, events - 4).map((n) =>
    agentSays({ type: 'TEXT_MESSAGE_CONTENT', messageId: `m-${runId}`, delta: `${n} ` }),
  ),
  agentSays({ type: 'TEXT_MESSAGE_END', messageId: `m-${runId}` }),
  agentSays({ type: 'RUN_FINISHED', threadId: 't', runId }),
];

const preludeOf = (entries: readonly Pick<ToldEntry, 'event'>[]): unknown =>
  prelude(entries.map(({ event }) => event).reduce(modelStep, emptyModel()));

for (const [name, open] of LOG_STORES)
  describe(`snapshots of a log on ${name}`, () => {
    let store: LogStore;
    let all: EventLog;
    let trimming: EventLog;
    let thread: ThreadId;
    beforeAll(async () => {
      store = await open();
      [all, trimming] = [await store.open(), await store.open(40)];
    });
    beforeEach(() => {
      thread = newThread();
    });
    afterAll(() => store.close());

    const tell = async (log: EventLog, runs: readonly number[], events = 20): Promise<void> => {
      for (const n of runs) {
        await log.append({ thread, events: run(`r${n}`, events) });
        await log.keep(thread);
      }
    };
    const seqOf = async (log: EventLog, behind?: number) => (await log.begin(thread, behind)).seq;
    const seqAt = async (log: EventLog, upTo: number) => {
      const start = await log.beginAt(thread, upTo);
      return start === 'trimmed' ? start : start.seq;
    };

    verifies('LOG-24', 'a snapshot and what comes after it are the thread', async () => {
      await tell(all, counting(1, 5));
      await all.append({ thread, events: run('r6', 7) });
      const { entries } = await all.read(thread, 0, 1_000);
      const start = await all.begin(thread);
      expect(start.seq).toBe(100);
      expect(start.entries.length).toBeLessThan(30);
      const tail = await all.read(thread, start.seq, 1_000);
      expect(preludeOf([...start.entries, ...tail.entries])).toEqual(preludeOf(entries));
    });

    verifies('LOG-24', 'nothing new makes no snapshot, and of two at once one is made', async () => {
      expect(await all.keep(thread)).toBe(false);
      await all.append({ thread, events: run('r1', 10) });
      const made = await Promise.all([all.keep(thread), trimming.keep(thread), all.keep(thread)]);
      expect(made.filter(Boolean)).toHaveLength(1);
      expect(await all.keep(thread)).toBe(false);
    });

    verifies('LOG-25', 'snapshots come by themselves, and nobody who appends waits for them', async () => {
      for (const n of counting(1, 3)) await all.append({ thread, events: run(`r${n}`, 200) });
      const due = async (): Promise<number> => {
        for (;;) {
          const seq = await seqOf(all);
          if (seq > 0) return seq;
        }
      };
      expect(await due()).toBe(600);
      await all.append({ thread, events: run('r4', 60), atRest: true });
      while ((await seqOf(all)) === 600);
      expect(await seqOf(all)).toBe(660);
    });

    verifies('LOG-26', 'the log goes up to a snapshot, so many events behind the newest', async () => {
      await tell(trimming, counting(1, 10));
      const page = await trimming.read(thread, 160, 1_000);
      expect(page).toMatchObject({ head: 200, firstSeq: 161 });
      expect(page.entries).toHaveLength(40);
      expect(await store.redis.xlen(threadKey(thread, 'log'))).toBe(2);
      await trimming.append({ thread, events: run('r11', 20) });
      expect((await trimming.read(thread, 200, 1_000)).entries[0]?.seq).toBe(201);
    });

    verifies('LOG-27', 'a reader begins at the greatest snapshot within its bounds', async () => {
      await tell(all, counting(1, 5));
      expect(await seqOf(all)).toBe(100);
      expect(await seqAt(all, 79)).toBe(60);
      expect(await seqAt(all, 19)).toBe(0);
      expect(await seqOf(all, 30)).toBe(60);
      expect(await seqOf(all, 1_000)).toBe(0);
    });

    verifies(
      'LOG-27',
      'of a trimmed log the oldest snapshot is the beginning; before it is nothing',
      async () => {
        await tell(trimming, counting(1, 10));
        expect(await seqOf(trimming, 1_000)).toBe(160);
        expect(await seqAt(trimming, 160)).toBe(160);
        expect(await seqAt(trimming, 159)).toBe('trimmed');
      },
    );

    verifies('LOG-12', 'a follow of what was trimmed is told so and ends', async () => {
      await tell(trimming, counting(1, 10));
      const reader = new Reader();
      await trimming.follow(thread, 100, reader);
      const { epoch } = await trimming.read(thread, 200, 1);
      expect([reader.rotations, reader.seqs]).toEqual([[epoch], []]);
    });

    verifies('LOG-12', 'a follow of a thread that is forgotten whole is told so', async () => {
      await tell(trimming, [1, 2]);
      const reader = new Reader();
      await all.follow(thread, 0, reader);
      await reader.has(40);
      const key = threadKey(thread, 'thread');
      await store.redis.hset(key, 'updatedAt', '2');
      const guarded = (equals: string) =>
        trimming.forget({ thread, guards: [{ key, field: 'updatedAt', equals }], keys: [key] });
      expect(await guarded('1')).toBe(false);
      expect(await guarded('2')).toBe(true);
      await reader.until(({ rotations }) => rotations.length > 0);
      expect(reader.rotations).toEqual(['']);
      expect(await store.redis.keys(threadKey(thread, '*'))).toEqual([]);
      const stranger = { thread, guards: [], keys: [threadKey(newThread(), 'thread')] };
      await expect(trimming.forget(stranger)).rejects.toThrow('not of this thread');
    });

    verifies('LOG-28', 'snapshots that are gone are no loss while the log is whole', async () => {
      await tell(all, counting(1, 3));
      await store.redis.del(threadKey(thread, 'snapshots'));
      expect(await all.begin(thread)).toMatchObject({ seq: 0, entries: [] });
      await tell(all, [4]);
      expect(await seqOf(all)).toBe(80);
    });

    verifies(
      'LOG-28',
      'a trimmed log without its snapshot is an error, never a part of the thread',
      async () => {
        await tell(trimming, counting(1, 10));
        await store.redis.del(threadKey(thread, 'snapshots'));
        await expect(trimming.begin(thread)).rejects.toThrow('it begins at 161');
        expect(await trimming.keep(thread)).toBe(false);
      },
    );

    verifies('LOG-28', 'a snapshot of another epoch or of another version counts for nothing', async () => {
      await tell(all, counting(1, 3));
      const key = threadKey(thread, 'snapshots');
      const epoch = (await store.redis.hget(key, 'e')) as string;
      await store.redis.hset(key, 'e', 'ffffffff');
      expect(await seqOf(all)).toBe(0);
      await store.redis.hset(key, 'e', epoch, '60', '{"v":2,"entries":"unknown"}');
      expect(await seqOf(all)).toBe(0);
    });

    verifies('LOG-28', 'a log that went back keeps the snapshots of what it still has', async () => {
      await tell(trimming, counting(1, 10));
      const { epoch } = await trimming.read(thread, 200, 1);
      const later = await trimming.append({ thread, events: run('r11', 20), seen: { epoch, seq: 230 } });
      expect(later).toMatchObject({ status: 'stored', first: 231 });
      const start = await trimming.begin(thread);
      expect(start).toMatchObject({ seq: 200, epoch: (later as { epoch: string }).epoch });
      const { entries } = await trimming.read(thread, start.seq, 1_000);
      expect(entries[0]?.seq).toBe(231);
      expect(await trimming.keep(thread)).toBe(true);
      expect(await seqOf(trimming)).toBe(250);
    });
  });
