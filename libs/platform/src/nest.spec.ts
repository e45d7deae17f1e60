/** Proves that a Nest application ends in order. */
import 'reflect-metadata';
import { Inject, Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { Redis } from 'ioredis';
import { verifies } from '../../../test/spec/verifies.js';
import type { Shutdown } from './adapters/shutdown.js';
import { createLog } from './adapters/logger.js';
import { connectRedis } from './adapters/redis-connections.js';
import { parseSettings } from './core/settings.js';
import { CLOCK, LOG, PlatformModule, REDIS, SETTINGS, SHUTDOWN, SUBSCRIBER } from './nest.js';

const seen: string[] = [];

@Injectable()
class Feature implements OnModuleDestroy {
  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(SHUTDOWN) shutdown: Shutdown,
  ) {
    shutdown.add('feature', async () => void seen.push(await this.redis.ping('by the list')));
  }

  async onModuleDestroy(): Promise<void> {
    seen.push(await this.redis.ping('by the hook'));
  }
}
@Module({ providers: [Feature] })
class FeatureModule {}

describe('PlatformModule', () => {
  verifies('PLT-15', 'Redis is closed after everything that registered for the end', async () => {
    const log = createLog({ level: 'silent' });
    const url = process.env['REDIS_URL'] as string;
    const redis = await connectRedis(url, 'commands', { log });
    const subscriber = await connectRedis(url, 'subscriber', { log });
    const parsed = parseSettings({});
    if (!parsed.ok) throw new Error('defaults must be usable');
    const platform = PlatformModule.forRoot({ settings: parsed.settings, log, redis, subscriber });
    const app = await Test.createTestingModule({ imports: [platform, FeatureModule] }).compile();
    await app.init();
    expect([SETTINGS, LOG, REDIS, SUBSCRIBER].map((token) => app.get(token))).toEqual([
      parsed.settings,
      log,
      redis,
      subscriber,
    ]);
    expect(app.get(CLOCK).now()).toBeGreaterThan(0);
    await app.close();
    expect(seen).toEqual(['by the hook', 'by the list']);
    expect([redis.status, subscriber.status]).toEqual(['end', 'end']);
  });
});
