/** Hears what changes and has it shown at once; goes round for what it did not hear of, from the worker's start to its end. */
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { REDIS_URL } from '@triptych/assembly/nest';
import { batchIdOf, Notifier } from '@triptych/bridges';
import {
  closeRedis,
  connectRedis,
  every,
  inBackground,
  parseTenantNews,
  TENANT_CHANNELS,
  type Log,
  type Shutdown,
} from '@triptych/platform';
import { LOG, SHUTDOWN } from '@triptych/platform/nest';
import { isStoreAway } from '@triptych/protocol';
import type { Redis } from 'ioredis';

/** What was not heard of shows so much later. */
const ROUND_MS = 500;
/** Batches looked at at once; the others wait for the next round. */
const MAX_LOOKS = 100;

@Injectable()
export class NotifyRounds implements OnApplicationBootstrap {
  private going = false;
  /** Batches being looked at; true: they changed again meanwhile. */
  private readonly looks = new Map<string, boolean>();

  constructor(
    @Inject(Notifier) private readonly notifier: Notifier,
    @Inject(REDIS_URL) private readonly redisUrl: string,
    @Inject(LOG) private readonly log: Log,
    @Inject(SHUTDOWN) private readonly shutdown: Shutdown,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.notifier.isWanted) return;
    const stop = every(ROUND_MS, () => inBackground(this.log, 'notify', this.round()));
    this.shutdown.add('notify-rounds', stop);
    const subscriber = await connectRedis(this.redisUrl, 'subscriber', { log: this.log });
    this.shutdown.add('notify-news', () => closeRedis(subscriber));
    subscriber.on('pmessage', (_pattern, _channel, text) => this.hear(text));
    subscriber.on('ready', () => this.listen(subscriber));
    await subscriber.psubscribe(TENANT_CHANNELS);
  }

  private listen(subscriber: Redis): void {
    subscriber
      .psubscribe(TENANT_CHANNELS)
      .catch((error: unknown) => this.log.warn('notify.not-heard', { error }));
  }

  private hear(text: string): void {
    const news = parseTenantNews(text);
    if (news?.kind !== 'task') return;
    const batchId = batchIdOf(news.taskId);
    if (this.looks.has(batchId)) this.looks.set(batchId, true);
    else if (this.looks.size < MAX_LOOKS) inBackground(this.log, 'notify-look', this.look(batchId));
  }

  /** What is said while it looks makes it look again, once. */
  private async look(batchId: string): Promise<void> {
    this.looks.set(batchId, true);
    try {
      while (this.looks.get(batchId)) {
        this.looks.set(batchId, false);
        await this.notifier.heard(batchId);
      }
    } catch (error) {
      // It is in the index of what is to be looked at; the round finds it there.
      if (!isStoreAway(error)) throw error;
    } finally {
      this.looks.delete(batchId);
    }
  }

  /** A round that takes long is not joined by the next; while the store is away there is nothing to find. */
  private async round(): Promise<void> {
    if (this.going) return;
    this.going = true;
    try {
      for (const destination of await this.notifier.round())
        inBackground(this.log, 'notify-lane', this.notifier.work(destination));
    } catch (error) {
      if (!isStoreAway(error)) throw error;
    } finally {
      this.going = false;
    }
  }
}
