/** Makes snapshots of threads behind the back of those who write and read them. */
import { randomUUID } from 'node:crypto';
import { type Log, inBackground } from '@triptych/platform';
import { type ThreadId, type ToldEntry, abridge, isStoreAway } from '@triptych/protocol';
import pLimit from 'p-limit';
import { type SinceSnapshot, isDue, planKeeping } from '../core/keeping.js';
import { readRange } from '../core/read-pages.js';
import { type LogStart, type Within, readSnapshot, snapshotText } from '../core/snapshot.js';
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

const NOTHING: SinceSnapshot = { events: 0, chars: 0 };

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

  async begin(thread: ThreadId, { upTo, behind = 0 }: Within): Promise<LogStart | 'trimmed'> {
    const bounds = { upTo: upTo ?? Number.MAX_SAFE_INTEGER, behind };
    const found = await this.parts.scripts.begin(thread, bounds);
    const start = startOf(found);
    if (start) return start;
    if (upTo !== undefined && upTo < found.firstSeq - 1) return 'trimmed';
    throw new Error(
      `The log is damaged: it begins at ${found.firstSeq} and has no snapshot of what was before.`,
    );
  }

  /** Events were stored; nobody waits for the snapshot they may be due to. */
  stored(thread: ThreadId, more: SinceSnapshot, atRest: boolean): void {
    const { events, chars } = this.since.get(thread) ?? NOTHING;
    const since = { events: events + more.events, chars: chars + more.chars };
    this.since.delete(thread);
    this.since.set(thread, since);
    const oldest = this.since.keys().next();
    if (this.since.size > MAX_COUNTED && !oldest.done) this.since.delete(oldest.value);
    if (!isDue(since, atRest) || this.busy.has(thread) || this.busy.size >= MAX_WAITING) return;
    inBackground(this.parts.log, 'event-log.keep', this.keepQuietly(thread));
  }

  /** True: a snapshot of all there was at some moment of this call is kept. */
  async keep(thread: ThreadId): Promise<boolean> {
    const { scripts, logKeep } = this.parts;
    const found = await scripts.begin(thread, { upTo: Number.MAX_SAFE_INTEGER, behind: 0 });
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
    return (await scripts.keep(thread, { epoch, seq, text, holder, ...plan })) === 'kept';
  }

  private async keepQuietly(thread: ThreadId): Promise<void> {
    this.busy.add(thread);
    try {
      await this.gate(async () => {
        this.since.delete(thread);
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
