/** Provides what could not be delivered, from the store that all processes share. */
import type { FactoryProvider } from '@nestjs/common';
import { queueConnection } from '@triptych/assembly';
import { REDIS_URL } from '@triptych/assembly/nest';
import { bullNotify, DeadLetters, RedisPostingStore } from '@triptych/bridges';
import type { Shutdown } from '@triptych/platform';
import { REDIS, SHUTDOWN } from '@triptych/platform/nest';
import type { Redis } from 'ioredis';

export const deadLettersProvider: FactoryProvider<DeadLetters> = {
  provide: DeadLetters,
  inject: [REDIS, REDIS_URL, SHUTDOWN],
  useFactory: (redis: Redis, redisUrl: string, shutdown: Shutdown) => {
    const knocks = bullNotify(queueConnection(redisUrl));
    shutdown.add('notify-knocks', () => knocks.close());
    return new DeadLetters({ store: new RedisPostingStore(redis), knocks });
  },
};
