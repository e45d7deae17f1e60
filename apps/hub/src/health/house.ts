/** Says how the house is, to those who run it: this instance, the queues, the store. */
import { Inject, Injectable } from '@nestjs/common';
import type { BullKnocks } from '@triptych/approvals';
import { KNOCKS } from '@triptych/assembly/nest';
import { storeCall } from '@triptych/platform';
import { REDIS } from '@triptych/platform/nest';
import type { Surface } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import { Sessions } from '../rooms/sessions.js';
import { Readiness } from './readiness.js';

const SECOND = 1_000;

/** `name:value` lines, as Redis tells of itself. */
const factsIn = (info: string): ReadonlyMap<string, string> =>
  new Map(
    info.split('\r\n').flatMap((line) => {
      const at = line.indexOf(':');
      return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const];
    }),
  );

@Injectable()
export class House {
  constructor(
    @Inject(Readiness) private readonly readiness: Readiness,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(KNOCKS) private readonly knocks: BullKnocks,
    @Inject(REDIS) private readonly redis: Redis,
  ) {}

  async standing(tenant: string) {
    const [queues, store] = await Promise.all([storeCall(this.knocks.standing()), this.store()]);
    return { instance: this.instance(tenant), queues, store };
  }

  /** Of the tenant's people alone: how many others there are is theirs to know. */
  private instance(tenant: string) {
    const sockets: Record<Surface, number> = { customer: 0, reviewer: 0, operator: 0 };
    for (const { surface } of this.sessions.in(tenant)) sockets[surface] += 1;
    return { ...this.readiness.parts(), uptimeMs: Math.floor(process.uptime() * SECOND), sockets };
  }

  private async store() {
    const [memory, disk] = await Promise.all([
      storeCall(this.redis.info('memory')).then(factsIn),
      storeCall(this.redis.info('persistence')).then(factsIn),
    ]);
    const max = Number(memory.get('maxmemory') ?? 0);
    const written = disk.get('aof_last_write_status') === 'ok' ? 'ok' : 'failed';
    return {
      usedBytes: Number(memory.get('used_memory') ?? 0),
      ...(max > 0 ? { maxBytes: max } : {}),
      writes: disk.get('aof_enabled') === '1' ? written : 'off',
    };
  }
}
