/** Hears what changed in each tenant, from every process, and hands it to the desk that tells the sockets. */
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { REDIS_URL } from '@triptych/assembly/nest';
import {
  closeRedis,
  connectRedis,
  parseTenantNews,
  storeCall,
  TENANT_CHANNELS,
  tenantOfChannel,
  type Log,
  type Shutdown,
} from '@triptych/platform';
import { LOG, SHUTDOWN } from '@triptych/platform/nest';
import type { Redis } from 'ioredis';
import { NewsDesk } from './news-desk.js';

@Injectable()
export class TenantNews implements OnApplicationBootstrap {
  constructor(
    @Inject(REDIS_URL) private readonly redisUrl: string,
    @Inject(LOG) private readonly log: Log,
    @Inject(SHUTDOWN) private readonly shutdown: Shutdown,
    @Inject(NewsDesk) private readonly desk: NewsDesk,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const subscriber = await connectRedis(this.redisUrl, 'subscriber', { log: this.log });
    this.shutdown.add('news-desk', () => this.desk.stop());
    this.shutdown.add('tenant-news', () => closeRedis(subscriber));
    subscriber.on('pmessage', (_pattern, channel, text) => this.hear(channel, text));
    await subscriber.psubscribe(TENANT_CHANNELS);
    this.followBy(subscriber);
    // What was said while the line was down is lost: whoever reads an inbox must ask again.
    subscriber.on('close', () => this.desk.follow(undefined));
    subscriber.on('ready', () => this.listenAgain(subscriber));
  }

  private listenAgain(subscriber: Redis): void {
    subscriber
      .psubscribe(TENANT_CHANNELS)
      .then(() => {
        this.followBy(subscriber);
        this.desk.reset();
      })
      .catch((error: unknown) => this.log.warn('news.not-heard', { error }));
  }

  /** A line's answer comes after all that was said on it before. */
  private followBy(subscriber: Redis): void {
    this.desk.follow(async () => void (await storeCall(subscriber.ping())));
  }

  private hear(channel: string, text: string): void {
    const news = parseTenantNews(text);
    if (!news) return;
    this.desk
      .tell(tenantOfChannel(channel), news)
      .catch((error: unknown) => this.log.warn('news.not-told', { channel, error }));
  }
}
