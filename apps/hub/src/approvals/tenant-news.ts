/** Hears what changed in each tenant, from every process, and hands it to the desk that tells the sockets. */
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { closeRedis, connectRedis, type Log, type Settings, type Shutdown } from '@triptych/platform';
import { LOG, SETTINGS, SHUTDOWN } from '@triptych/platform/nest';
import { TENANT_CHANNELS, tenantOfChannel } from '@triptych/runs';
import type { Redis } from 'ioredis';
import { NewsDesk, type TenantNewsItem } from './news-desk.js';

@Injectable()
export class TenantNews implements OnApplicationBootstrap {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOG) private readonly log: Log,
    @Inject(SHUTDOWN) private readonly shutdown: Shutdown,
    @Inject(NewsDesk) private readonly desk: NewsDesk,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const subscriber = await connectRedis(this.settings.redisUrl ?? '', 'subscriber', { log: this.log });
    this.shutdown.add('tenant-news', () => closeRedis(subscriber));
    subscriber.on('pmessage', (_pattern, channel, text) => this.hear(channel, text));
    await subscriber.psubscribe(TENANT_CHANNELS);
    // What was said while the line was down is lost: whoever reads an inbox must ask again.
    subscriber.on('ready', () => this.listenAgain(subscriber));
  }

  private listenAgain(subscriber: Redis): void {
    subscriber
      .psubscribe(TENANT_CHANNELS)
      .then(() => this.desk.reset())
      .catch((error: unknown) => this.log.warn('news.not-heard', { error }));
  }

  private hear(channel: string, text: string): void {
    this.desk
      .tell(tenantOfChannel(channel), JSON.parse(text) as TenantNewsItem)
      .catch((error: unknown) => this.log.warn('news.not-told', { channel, error }));
  }
}
