/** Proves that the subscriptions are alive, and restores them with all that was missed when they were not. */
import { randomUUID } from 'node:crypto';
import { type Log, every, inBackground, nextDelay, storeCall } from '@triptych/platform';
import { type ThreadId, isStoreAway } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import type { LogPosition } from '../core/feed.js';
import { DEFAULT_LIVENESS, type Liveness, heardAt, judgeLiveness } from '../core/liveness.js';
import type { Follower } from './follower.js';
import { channelOf } from './log-keys.js';
import { type Pause, pause } from './pause.js';
import type { Switchboard } from './switchboard.js';

export interface WatchBounds {
  readonly idleMs: number;
  readonly echoMs: number;
  /** Every follow is compared with the store this often: finds the loss of a single channel. */
  readonly positionsMs: number;
}

export const DEFAULT_WATCH: WatchBounds = { ...DEFAULT_LIVENESS, positionsMs: 10_000 };

/** How many looks fit into the silence that is tolerated. */
const LOOKS_PER_SILENCE = 5;
/** A connection that cannot be restored in this many attempts is replaced. */
const RESTORES_PER_CONNECTION = 3;
/** Positions asked for at once: one socket write of some 30 KB. */
const POSITIONS_AT_ONCE = 500;

export interface WatchParts {
  readonly redis: Redis;
  readonly subscriber: Redis;
  readonly lines: Switchboard;
  readonly followers: ReadonlySet<Follower>;
  readonly position: (thread: ThreadId) => Promise<LogPosition>;
  readonly bounds: WatchBounds;
  readonly log: Log;
}

export class SubscriptionWatch {
  private readonly probeChannel = `tt:probe:${randomUUID()}`;
  private readonly stops: (() => void)[];
  private liveness: Liveness = heardAt(Date.now());
  private isAlive = false;
  /** Each loss and each return starts a new turn; work of an older one gives up. */
  private turn = 0;
  private waiting: Pause | undefined;
  private comparing = false;

  constructor(private readonly parts: WatchParts) {
    const { subscriber, bounds } = parts;
    const on = (name: string, run: () => void): (() => void) => {
      subscriber.on(name, run);
      return () => subscriber.off(name, run);
    };
    this.stops = [
      on('smessageBuffer', () => (this.liveness = heardAt(Date.now()))),
      on('ready', () => this.restore()),
      on('close', () => this.lose()),
      every(bounds.idleMs / LOOKS_PER_SILENCE, () => this.look()),
      every(bounds.positionsMs, () =>
        inBackground(parts.log, 'event-log.positions', this.comparePositions()),
      ),
    ];
    if (subscriber.status === 'ready') this.restore();
  }

  get alive(): boolean {
    return this.isAlive;
  }

  close(): void {
    this.lose();
    for (const stop of this.stops) stop();
  }

  private setAlive(alive: boolean): void {
    if (this.isAlive === alive) return;
    this.isAlive = alive;
    for (const each of this.parts.followers) each.health(alive);
  }

  private lose(): void {
    this.turn += 1;
    this.waiting?.end();
    this.setAlive(false);
  }

  private restore(): void {
    this.lose();
    inBackground(this.parts.log, 'event-log.restore', this.restoreUntilDone(this.turn));
  }

  private async restoreUntilDone(turn: number): Promise<void> {
    const { subscriber, log } = this.parts;
    for (let attempt = 1; turn === this.turn && subscriber.status === 'ready'; attempt += 1) {
      try {
        await this.subscribeAndCompare();
        if (turn !== this.turn) return;
        this.liveness = heardAt(Date.now());
        return this.setAlive(true);
      } catch (error) {
        if (!isStoreAway(error)) log.error('event-log.restore-failed', { error, attempt });
        // A socket that is open but dead never tells: give it up.
        if (attempt === RESTORES_PER_CONNECTION && turn === this.turn) return subscriber.disconnect(true);
        this.waiting = pause(nextDelay(attempt, Math.random));
        await this.waiting.over;
      }
    }
  }

  /** In this order: what is appended after the subscription is announced, what came before is found by comparing. */
  private async subscribeAndCompare(): Promise<void> {
    await this.parts.lines.join(this.probeChannel, () => undefined);
    await this.parts.lines.renewAll();
    await this.compareAll();
  }

  private async compareAll(): Promise<Follower[]> {
    const followers = [...this.parts.followers];
    const missed: Follower[] = [];
    for (let from = 0; from < followers.length; from += POSITIONS_AT_ONCE) {
      const some = followers.slice(from, from + POSITIONS_AT_ONCE);
      const found = await Promise.all(some.map((each) => each.check(this.parts.position)));
      missed.push(...some.filter((_, index) => found[index]));
    }
    return missed;
  }

  private async comparePositions(): Promise<void> {
    if (!this.isAlive || this.comparing) return;
    this.comparing = true;
    try {
      // What was missed in silence may have been missed because the channel itself is lost.
      for (const { thread } of await this.compareAll()) await this.parts.lines.renew(channelOf(thread));
    } catch (error) {
      if (!isStoreAway(error)) throw error;
      this.parts.log.debug('event-log.positions-unknown', { error });
    } finally {
      this.comparing = false;
    }
  }

  private look(): void {
    const { subscriber, bounds, log } = this.parts;
    if (!this.isAlive || subscriber.status !== 'ready') return;
    const now = Date.now();
    const verdict = judgeLiveness(this.liveness, now, bounds);
    if (verdict === 'probe') {
      this.liveness = { ...this.liveness, probedAt: now };
      inBackground(log, 'event-log.probe', this.probe());
    }
    if (verdict === 'dead') {
      log.warn('event-log.subscription-dead', { silentMs: now - this.liveness.heardAt });
      this.lose();
      // LOG-16: the socket says that it is open, yet nothing comes: only a new one can be trusted.
      subscriber.disconnect(true);
    }
  }

  private async probe(): Promise<void> {
    try {
      await storeCall(this.parts.redis.spublish(this.probeChannel, ''));
    } catch (error) {
      if (!isStoreAway(error)) throw error;
      // The commands are away, so nothing is known of the subscription: prove all of it again.
      this.restore();
    }
  }
}
