/** The glue to Nest: settings, log, Redis and clock as tokens, and an end that closes Redis last. */
import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { closeRedis } from './adapters/redis-connections.js';
import type { Shutdown } from './adapters/shutdown.js';
import { shutdownList } from './adapters/shutdown.js';
import { systemClock } from './adapters/system-clock.js';
import type { Clock } from './core/clock.js';
import type { Log } from './core/log.js';
import type { Settings } from './core/settings.js';

export const SETTINGS = Symbol('SETTINGS');
export const LOG = Symbol('LOG');
/** The connection for commands. */
export const REDIS = Symbol('REDIS');
/** The connection that is subscribed. */
export const SUBSCRIBER = Symbol('SUBSCRIBER');
export const CLOCK = Symbol('CLOCK');
/** What must stop before Redis is closed adds itself here. */
export const SHUTDOWN = Symbol('SHUTDOWN');

export interface PlatformParts {
  readonly settings: Settings;
  readonly log: Log;
  readonly redis: Redis;
  readonly subscriber: Redis;
  readonly clock?: Clock;
}

const closing = ({ log, redis, subscriber }: PlatformParts): Shutdown => {
  const shutdown = shutdownList(log);
  // First in, last out.
  shutdown.add('redis', () => closeRedis(redis));
  shutdown.add('subscriber', () => closeRedis(subscriber));
  return shutdown;
};

@Global()
@Module({})
export class PlatformModule implements OnApplicationShutdown {
  constructor(@Inject(SHUTDOWN) private readonly shutdown: Shutdown) {}

  static forRoot(parts: PlatformParts): DynamicModule {
    const tokens: readonly (readonly [symbol, unknown])[] = [
      [SETTINGS, parts.settings],
      [LOG, parts.log],
      [REDIS, parts.redis],
      [SUBSCRIBER, parts.subscriber],
      [CLOCK, parts.clock ?? systemClock],
      [SHUTDOWN, closing(parts)],
    ];
    return {
      module: PlatformModule,
      providers: tokens.map(([provide, useValue]) => ({ provide, useValue })),
      exports: tokens.map(([token]) => token),
    };
  }

  onApplicationShutdown(): Promise<void> {
    return this.shutdown.run();
  }
}
