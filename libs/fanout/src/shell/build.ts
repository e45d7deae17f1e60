/** Brings tracks from the beginning of a log to its head, while the log goes on. */
import type { LogEntry, Surface, ThreadId } from '@triptych/protocol';
import { continuing } from '../core/join-buffer.js';
import type { LogToFollow } from '../core/ports.js';
import { allTrimmed, newTracks, tracksStep, type Lens, type Tracks } from '../core/track.js';
import { PAGE_ENTRIES } from './cold-read.js';

export class Build {
  epoch = '';
  seq = 0;
  tracks: Tracks;
  /** What the follow brought meanwhile; a log that never rests is caught up with all the same. */
  private arrived: LogEntry[] = [];

  constructor(
    readonly lens: Lens,
    private readonly surfaces: readonly Surface[],
  ) {
    this.tracks = newTracks(surfaces, lens);
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
    const page = await log.read(thread, this.seq, PAGE_ENTRIES);
    if (this.seq > 0 && page.epoch !== this.epoch) return this.beginAnew();
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

  /** The log was lost between two pages; what was read belongs to another. */
  private beginAnew(): false {
    this.seq = 0;
    this.tracks = newTracks(this.surfaces, this.lens);
    return false;
  }

  private step(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      this.tracks = tracksStep(this.tracks, entry, this.lens);
      this.seq = entry.seq;
    }
    this.tracks = allTrimmed(this.tracks);
  }
}
