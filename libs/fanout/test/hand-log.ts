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
}

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
    const stored = this.threads.get(thread) ?? { epoch: this.newEpoch(), entries: [] };
    this.threads.set(thread, stored);
    for (const event of events) this.appendText(stored, event, { json: JSON.stringify(event), source });
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
    this.threads.set(thread, { epoch, entries: [] });
    this.append(thread, left);
    for (const one of this.following) if (one.thread === thread) one.listener.rotated(epoch);
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
    const { epoch, entries } = this.threads.get(thread) ?? { epoch: '', entries: [] };
    const page = entries.filter((entry) => entry.seq > after).slice(0, limit);
    return { epoch, head: entries.at(-1)?.seq ?? 0, entries: page };
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

  private newEpoch(): string {
    this.epochs += 1;
    return this.epochs.toString(16).padStart(8, '0');
  }

  private appendText(
    stored: Stored,
    event: AguiEvent,
    text: { readonly json: string; readonly source: Source },
  ): void {
    stored.entries.push({ seq: stored.entries.length + 1, at: 1_700_000_000_000, event, ...text });
  }
}
