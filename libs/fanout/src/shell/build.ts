/** Brings tracks from the beginning of a log to its head, while the log goes on. */
import type { LogEntry, Surface, ThreadId } from '@triptych/protocol';
import { continuing } from '../core/join-buffer.js';
import type { LogToFollow } from '../core/ports.js';
import { allTrimmed, newTracks, tracksAt, tracksStep, type Lens, type Tracks } from '../core/track.js';
import { PAGE_ENTRIES } from './cold-read.js';

export interface BuildPlan {
  readonly lens: Lens;
  readonly surfaces: readonly Surface[];
  /** So many entries up to the head should stay in the rings, for those who come back. */
  readonly behind: number;
}

export class Build {
  epoch = '';
  seq = 0;
  tracks: Tracks;
  private begun = false;
  /** What the follow brought meanwhile; a log that never rests is caught up with all the same. */
  private arrived: LogEntry[] = [];

  constructor(private readonly plan: BuildPlan) {
    this.tracks = newTracks(plan.surfaces, plan.lens);
  }

  get lens(): Lens {
    return this.plan.lens;
  }

  arrive(entries: readonly LogEntry[]): void {
    this.arrived.push(...entries);
  }

  /** One page further; true when the page reached the head. `onPage` sees the entries first. */
  async readOn(
    log: LogToFollow,
    thread: ThreadId,
    onPage: (entries: readonly LogEntry[]) => void = () => undefined,
  ): Promise<boolean> {
    if (!this.begun) await this.begin(log, thread);
    const page = await log.read(thread, this.seq, PAGE_ENTRIES);
    const isOther = this.seq > 0 && page.epoch !== this.epoch;
    // Lost or trimmed meanwhile: what was read does not lead to this page.
    if (isOther || page.firstSeq > this.seq + 1) return (this.begun = false);
    this.epoch = page.epoch;
    onPage(page.entries);
    this.step(page.entries);
    // What a log lost before a change of epoch has no entries: the head may lie beyond the last of them.
    if (page.entries.length < PAGE_ENTRIES) this.seq = Math.max(this.seq, page.head);
    return this.seq >= page.head;
  }

  /** Takes in what came while the page was on its way. */
  catchUp(): void {
    this.step(continuing(this.seq, this.arrived));
    this.arrived = [];
  }

  private async begin(log: LogToFollow, thread: ThreadId): Promise<void> {
    const { surfaces, lens, behind } = this.plan;
    const start = await log.begin(thread, behind);
    this.tracks = tracksAt(surfaces, lens, start);
    this.epoch = start.epoch;
    this.seq = start.seq;
    this.begun = true;
  }

  private step(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      this.tracks = tracksStep(this.tracks, entry, this.lens);
      this.seq = entry.seq;
    }
    this.tracks = allTrimmed(this.tracks);
  }
}
