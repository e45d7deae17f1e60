/** A log whose every step a test decides: what is stored, when readers learn of it, when it is lost. */
import type { AguiEvent, LogEntry, Source, ThreadId } from '@triptych/protocol';
import type { LogListener, LogToFollow } from '../src/core/ports.js';

interface Following {
  readonly thread: ThreadId;
  readonly listener: LogListener;
  at: number;
}

interface Stored {
  epoch: string;
  entries: LogEntry[];
  /** Seqs of snapshots, ascending. */
  kept: number[];
  firstSeq: number;
}

const stored = (epoch: string): Stored => ({ epoch, entries: [], kept: [], firstSeq: 1 });

export class HandLog implements LogToFollow {
  /** Calls so far. */
  reads = 0;
  follows = 0;
  /** Set: the store is away. */
  away: Error | undefined;
  private readonly threads = new Map<ThreadId, Stored>();
  private readonly following = new Set<Following>();
  private gate: { readonly open: Promise<void>; readonly release: () => void } | undefined;
  private epochs = 0;

  /** Stores without telling anyone; `tell` does that. */
  append(thread: ThreadId, events: readonly AguiEvent[], source: Source = 'agent'): void {
    const log = this.threads.get(thread) ?? stored(this.newEpoch());
    this.threads.set(thread, log);
    for (const event of events) this.appendText(log, event, { json: JSON.stringify(event), source });
  }

  appendJson(thread: ThreadId, json: string): void {
    this.append(thread, []);
    this.appendText(this.threads.get(thread)!, JSON.parse(json) as AguiEvent, { json, source: 'agent' });
  }

  /** Tells the followers of a thread up to `count` entries they do not have yet. */
  tell(thread: ThreadId, count = Number.POSITIVE_INFINITY): void {
    const entries = this.threads.get(thread)?.entries ?? [];
    for (const one of this.following) {
      if (one.thread !== thread) continue;
      const batch = entries.filter((entry) => entry.seq > one.at).slice(0, count);
      one.at = batch.at(-1)?.seq ?? one.at;
      if (batch.length > 0) one.listener.entries(batch);
    }
  }

  write(thread: ThreadId, events: readonly AguiEvent[], source: Source = 'agent'): void {
    this.append(thread, events, source);
    this.tell(thread);
  }

  /** The log is lost; another one takes its place. */
  lose(thread: ThreadId, left: readonly AguiEvent[] = []): void {
    const epoch = this.newEpoch();
    this.threads.set(thread, stored(epoch));
    this.append(thread, left);
    this.end(thread, epoch);
  }

  /** A snapshot of the thread up to a seq; here it holds every entry. */
  keep(thread: ThreadId, seq: number): void {
    this.threads.get(thread)?.kept.push(seq);
  }

  /** Nothing up to a kept snapshot can be read any more. */
  trim(thread: ThreadId, seq: number): void {
    const log = this.threads.get(thread)!;
    log.firstSeq = seq + 1;
    log.kept = log.kept.filter((one) => one >= seq);
  }

  /** The last entries are lost, and nobody has noticed so far. */
  goBack(thread: ThreadId, by: number): void {
    this.threads.get(thread)!.entries.splice(-by);
  }

  /** The follows of a thread find that the log does not go on from where they are. */
  endFollows(thread: ThreadId): void {
    this.end(thread, this.threads.get(thread)!.epoch);
  }

  async begin(thread: ThreadId, behind = 0) {
    const head = this.entriesOf(thread).length;
    const kept = this.threads.get(thread)?.kept ?? [];
    const oldest = (this.threads.get(thread)?.firstSeq ?? 1) > 1 ? kept.at(0) : undefined;
    return this.startAt(thread, kept.findLast((seq) => seq <= head - behind) ?? oldest ?? 0);
  }

  async beginAt(thread: ThreadId, upTo: number) {
    const { kept, firstSeq } = this.threads.get(thread) ?? stored('');
    if (upTo < firstSeq - 1) return 'trimmed';
    return this.startAt(thread, kept.findLast((seq) => seq <= upTo) ?? 0);
  }

  health(alive: boolean): void {
    for (const one of this.following) one.listener.health?.(alive);
  }

  /** Reads wait until the returned release. */
  holdReads(): () => void {
    let release = (): void => undefined;
    const open = new Promise<void>((resolve) => (release = resolve));
    this.gate = { open, release };
    return () => {
      this.gate = undefined;
      release();
    };
  }

  entriesOf(thread: ThreadId): readonly LogEntry[] {
    return this.threads.get(thread)?.entries ?? [];
  }

  get followers(): number {
    return this.following.size;
  }

  async read(thread: ThreadId, after: number, limit: number) {
    this.reads += 1;
    await this.gate?.open;
    if (this.away !== undefined) throw this.away;
    const { epoch, entries, firstSeq } = this.threads.get(thread) ?? stored('');
    const page = entries.filter(({ seq }) => seq > after && seq >= firstSeq).slice(0, limit);
    return { epoch, head: entries.at(-1)?.seq ?? 0, firstSeq, entries: page };
  }

  async follow(thread: ThreadId, after: number, listener: LogListener) {
    this.follows += 1;
    await Promise.resolve();
    if (this.away !== undefined) throw this.away;
    const one: Following = { thread, listener, at: after };
    this.following.add(one);
    this.tell(thread);
    return { epoch: this.threads.get(thread)?.epoch ?? '', stop: () => void this.following.delete(one) };
  }

  /** As the port says: a follow that was told so is over. */
  private end(thread: ThreadId, epoch: string): void {
    for (const one of [...this.following]) {
      if (one.thread !== thread) continue;
      this.following.delete(one);
      one.listener.rotated(epoch);
    }
  }

  private startAt(thread: ThreadId, seq: number) {
    if (this.away !== undefined) throw this.away;
    const { epoch, entries } = this.threads.get(thread) ?? stored('');
    return { epoch, seq, entries: entries.filter((entry) => entry.seq <= seq) };
  }

  private newEpoch(): string {
    this.epochs += 1;
    return this.epochs.toString(16).padStart(8, '0');
  }

  private appendText(
    log: Stored,
    event: AguiEvent,
    text: { readonly json: string; readonly source: Source },
  ): void {
    log.entries.push({ seq: log.entries.length + 1, at: 1_700_000_000_000, event, ...text });
  }
}
