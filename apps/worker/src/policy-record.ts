/** Records for every tenant which policy is in force, and since when. */
import { readFileSync } from 'node:fs';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { POLICY, type PolicySource } from '@triptych/assembly/nest';
import {
  every,
  inBackground,
  looseTrail,
  policyTrail,
  storeCall,
  TRAIL_TENANTS,
  type Log,
  type Shutdown,
} from '@triptych/platform';
import { LOG, REDIS, SHUTDOWN } from '@triptych/platform/nest';
import { isStoreAway, trailText, type TrailNote } from '@triptych/protocol';
import type { Redis } from 'ioredis';

/** A tenant that is new has its record this late. */
const LOOK_MS = 30_000;

interface WithScript {
  triptychPolicyRecord(...keysAndArgs: string[]): Promise<number>;
}

const inForce = (tenant: string, was: string, version: string): TrailNote => ({
  tenant,
  actor: { id: 'hub', via: 'system' },
  action: 'policy.in-force',
  subject: {},
  ...(was === '' ? {} : { before: { version: was } }),
  after: { version },
});

@Injectable()
export class PolicyRecord implements OnApplicationBootstrap {
  private readonly script: WithScript;

  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(POLICY) private readonly policy: PolicySource,
    @Inject(LOG) private readonly log: Log,
    @Inject(SHUTDOWN) private readonly shutdown: Shutdown,
  ) {
    const lua = readFileSync(new URL('./policy-record.lua', import.meta.url), 'utf8');
    redis.defineCommand('triptychPolicyRecord', { numberOfKeys: 2, lua });
    this.script = redis as unknown as WithScript;
  }

  onApplicationBootstrap(): void {
    const look = (): void => inBackground(this.log, 'policy-record', this.look());
    const stop = every(LOOK_MS, look);
    const heedNoMore = this.policy.onChange(look);
    this.shutdown.add('policy-record', () => {
      stop();
      heedNoMore();
    });
    look();
  }

  /** While the store is away there is nobody to record for. */
  private async look(): Promise<void> {
    try {
      const { version } = this.policy.current();
      for (const tenant of await storeCall(this.redis.smembers(TRAIL_TENANTS)))
        await this.record(tenant, version);
    } catch (error) {
      if (!isStoreAway(error)) throw error;
    }
  }

  private async record(tenant: string, version: string): Promise<void> {
    const key = policyTrail(tenant);
    const was = (await storeCall(this.redis.get(key))) ?? '';
    if (was === version) return;
    const text = trailText(inForce(tenant, was, version));
    await storeCall(this.script.triptychPolicyRecord(key, looseTrail(tenant), was, version, text));
  }
}
