/** Carries one follow: feeds it with announcements and pages, hands on what it decides. */
import { type Log, inBackground, nextDelay } from '@triptych/platform';
import { type ThreadId, isStoreAway } from '@triptych/protocol';
import { readAnnouncement } from '../core/announcement.js';
import type { Follow, FollowListener } from '../core/event-log.js';
import { type Feed, type LogPosition, type Step, catchUp, compare, hear, startFeed } from '../core/feed.js';
import type { Page } from '../core/page.js';
import { type Pause, pause } from './pause.js';

export interface FollowerParts {
  readonly thread: ThreadId;
  readonly after: number;
  readonly listener: FollowListener;
  readonly read: (after: number) => Promise<Page>;
  readonly note: (reached: LogPosition) => void;
  /** Gives a log that lacks what was seen of it a new epoch; answers the epoch it then has. */
  readonly fence: () => Promise<string>;
  readonly ended: () => void;
  readonly log: Log;
}

export class Follower implements Follow {
  private feed: Feed;
  private stopped = false;
  private attached = false;
  private reading: Promise<void> | undefined;
  private waiting: Pause | undefined;

  constructor(private readonly parts: FollowerParts) {
    this.feed = startFeed(parts.after);
  }

  get thread(): ThreadId {
    return this.parts.thread;
  }

  get epoch(): string {
    return this.feed.epoch;
  }

  /** Reads until live; rejects if the store is away. From then on absences are waited out. */
  async attach(): Promise<void> {
    await this.catchUp();
    this.attached = true;
    this.recoverIfBehind();
  }

  /** A message of the thread's channel. */
  hear(message: Buffer): void {
    this.take(hear(this.feed, readAnnouncement(message)));
  }

  /** Looks whether the log is where the feed is; true when announcements were missed. */
  async check(position: (thread: ThreadId) => Promise<LogPosition>): Promise<boolean> {
    const asked = this.feed;
    if (this.stopped || asked.phase === 'rotated') return false;
    const found = await position(this.thread);
    this.take(compare(this.feed, found, asked));
    return asked.phase === 'live' && this.feed.phase === 'behind';
  }

  health(alive: boolean): void {
    this.tell('health', () => this.parts.listener.health?.(alive));
  }

  stop(): void {
    if (this.stopped) return;
    this.stopped = true;
    this.waiting?.end();
    this.parts.ended();
  }

  private take({ feed, deliver }: Step): void {
    const { phase, epoch: had } = this.feed;
    if (this.stopped || phase === 'rotated') return;
    this.feed = feed;
    if (feed.phase !== 'rotated' && feed.epoch !== '') this.parts.note({ epoch: feed.epoch, head: feed.at });
    if (deliver.length > 0) this.tell('entries', () => this.parts.listener.entries(deliver));
    if (feed.phase !== 'rotated') return this.recoverIfBehind();
    // LOG-30: what a log that went back is given from now on would bear the names of what it lost.
    const wentBack = feed.epoch !== '' && (had === '' || had === feed.epoch);
    if (wentBack) inBackground(this.parts.log, 'event-log.fence', this.fence());
    else this.end(feed.epoch);
  }

  private async fence(): Promise<void> {
    for (let attempt = 1; !this.stopped; attempt += 1) {
      try {
        return this.end(await this.parts.fence());
      } catch (error) {
        await this.patience('fence', attempt, error);
      }
    }
  }

  private end(epoch: string): void {
    if (this.stopped) return;
    this.stop();
    this.tell('rotated', () => this.parts.listener.rotated(epoch));
  }

  private tell(what: string, call: () => void): void {
    try {
      call();
    } catch (error) {
      // A listener's bug is its own: the log goes on for the others.
      this.parts.log.error('event-log.listener-failed', { thread: this.thread, what, error });
    }
  }

  /** One reader at a time: whatever makes the feed fall behind meanwhile is seen by its loop. */
  private catchUp(): Promise<void> {
    this.reading ??= this.readUntilLive().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readUntilLive(): Promise<void> {
    for (let asked = this.feed; asked.phase === 'behind' && !this.stopped; asked = this.feed) {
      const page = await this.parts.read(asked.at);
      this.take(catchUp(this.feed, page, asked));
    }
  }

  private recoverIfBehind(): void {
    if (!this.attached || this.stopped || this.reading || this.waiting || this.feed.phase !== 'behind')
      return;
    inBackground(this.parts.log, 'event-log.recover', this.recover());
  }

  private async recover(): Promise<void> {
    for (let attempt = 1; this.feed.phase === 'behind' && !this.stopped; attempt += 1) {
      try {
        await this.catchUp();
      } catch (error) {
        await this.patience('read', attempt, error);
      }
    }
  }

  /** LOG-32: whatever went wrong, who gives up would be deaf from then on. */
  private async patience(what: 'read' | 'fence', attempt: number, error: unknown): Promise<void> {
    const delayMs = nextDelay(attempt, Math.random);
    if (!isStoreAway(error)) {
      this.parts.log.error(`event-log.${what}-failed`, { thread: this.thread, error, delayMs });
    }
    this.waiting = pause(delayMs);
    await this.waiting.over;
    this.waiting = undefined;
  }
}
