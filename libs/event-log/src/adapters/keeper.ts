/** Makes snapshots of threads behind the back of those who write and read them. */
import { randomUUID } from 'node:crypto';
import { type Log, inBackground } from '@triptych/platform';
import { type ThreadId, type ToldEntry, abridge, isStoreAway } from '@triptych/protocol';
import pLimit from 'p-limit';
import { type SinceSnapshot, isDue, planKeeping } from '../core/keeping.js';
import { readRange } from '../core/read-pages.js';
import { type LogStart, readSnapshot, snapshotText } from '../core/snapshot.js';
import type { LogScripts } from './log-scripts.js';
import type { Beginning, SnapshotScripts } from './snapshot-scripts.js';

/** Entries read at once; what has gathered is told in fewer before the next. */
const PAGE_EVENTS = 1_000;
/** A snapshot is work for the event loop: others must have their turn. */
const KEEPERS_AT_ONCE = 2;
/** Threads that wait for their snapshot; one beyond them gets its own with its next events. */
const MAX_WAITING = 64;
/** Threads whose events since the last snapshot are counted here; one beyond them begins anew. */
const MAX_COUNTED = 10_000;
/** Twice the largest model and all that is kept beside it; a thread beyond is read from its first event. */
const MAX_TEXT = 32 * 1024 * 1024;

const ANY = Number.MAX_SAFE_INTEGER;
const NOTHING: SinceSnapshot = { events: 0, chars: 0, held: 0 };

export interface KeeperParts {
  readonly scripts: SnapshotScripts;
  readonly page: LogScripts['page'];
  readonly log: Log;
  /** Events a thread keeps behind its newest snapshot; undefined: all. */
  readonly logKeep?: number | undefined;
}

export class Keeper {
  private readonly since = new Map<ThreadId, SinceSnapshot>();
  private readonly busy = new Set<ThreadId>();
  private readonly gate = pLimit(KEEPERS_AT_ONCE);

  constructor(private readonly parts: KeeperParts) {}

  async begin(thread: ThreadId, behind: number): Promise<LogStart> {
    const found = await this.parts.scripts.begin(thread, { upTo: ANY, behind });
    return startOf(found) ?? damaged(found);
  }

  async beginAt(thread: ThreadId, upTo: number): Promise<LogStart | 'trimmed'> {
    const found = await this.parts.scripts.begin(thread, { upTo, behind: 0 });
    return startOf(found) ?? (upTo < found.firstSeq - 1 ? 'trimmed' : damaged(found));
  }

  /** Events were stored; nobody waits for the snapshot they may be due to. */
  stored(thread: ThreadId, more: Omit<SinceSnapshot, 'held'>, atRest: boolean): void {
    const { events, chars, held } = this.since.get(thread) ?? NOTHING;
    const since = { events: events + more.events, chars: chars + more.chars, held };
    this.count(thread, since);
    if (!isDue(since, atRest) || this.busy.has(thread) || this.busy.size >= MAX_WAITING) return;
    inBackground(this.parts.log, 'event-log.keep', this.keepQuietly(thread));
  }

  /** True: a snapshot of all there was at some moment of this call is kept. */
  async keep(thread: ThreadId): Promise<boolean> {
    const { scripts, logKeep } = this.parts;
    const found = await scripts.begin(thread, { upTo: ANY, behind: 0 });
    const holder = randomUUID();
    if (found.head <= found.seq || !(await scripts.takeLease(thread, holder))) return false;
    const told = await this.toldFrom(thread, found);
    if (told === undefined) return false;
    const text = snapshotText(told.entries);
    if (text.length > MAX_TEXT) {
      this.parts.log.warn('event-log.snapshot-too-large', { thread, chars: text.length });
      return false;
    }
    const { seq, epoch } = told;
    const plan = planKeeping({ fresh: seq, seqs: found.seqs, firstSeq: found.firstSeq, logKeep });
    if ((await scripts.keep(thread, { epoch, seq, text, holder, ...plan })) === 'stale') return false;
    this.count(thread, { ...(this.since.get(thread) ?? NOTHING), held: text.length });
    return true;
  }

  private count(thread: ThreadId, since: SinceSnapshot): void {
    this.since.delete(thread);
    this.since.set(thread, since);
    const oldest = this.since.keys().next();
    if (this.since.size > MAX_COUNTED && !oldest.done) this.since.delete(oldest.value);
  }

  private async keepQuietly(thread: ThreadId): Promise<void> {
    this.busy.add(thread);
    try {
      await this.gate(async () => {
        const { held } = this.since.get(thread) ?? NOTHING;
        this.count(thread, { ...NOTHING, held });
        await this.keep(thread);
      });
    } catch (error) {
      if (!isStoreAway(error)) throw error;
    } finally {
      this.busy.delete(thread);
    }
  }

  /** Undefined: the log became another one, or lost its beginning, while it was read. */
  private async toldFrom(thread: ThreadId, found: Beginning): Promise<LogStart | undefined> {
    const start = startOf(found);
    if (!start) return undefined;
    const { epoch } = start;
    let { seq } = start;
    let entries: readonly ToldEntry[] = start.entries;
    for (;;) {
      const page = await readRange((after, events) => this.parts.page(thread, after, events), {
        after: seq,
        limit: PAGE_EVENTS,
      });
      if (page.epoch !== epoch || page.firstSeq > seq + 1) return undefined;
      entries = [...entries, ...page.entries];
      if (page.entries.length < PAGE_EVENTS) return { epoch, seq: page.head, entries };
      seq = page.entries.at(-1)?.seq ?? seq;
      entries = abridge(entries);
    }
  }
}

/** Undefined: the log does not reach back to its beginning, nor does a snapshot that can be read. */
const startOf = ({ epoch, firstSeq, seq, text }: Beginning): LogStart | undefined => {
  const entries = seq > 0 ? readSnapshot(text) : undefined;
  if (entries) return { epoch, seq, entries };
  return firstSeq > 1 ? undefined : { epoch, seq: 0, entries: [] };
};

const damaged = ({ firstSeq }: Beginning): never => {
  throw new Error(`The log is damaged: it begins at ${firstSeq} and has no snapshot of what was before.`);
};
