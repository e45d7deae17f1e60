/** Knows, across all hubs, whether an agent that comes by itself has a socket open somewhere. */
import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { LEDGER } from '@triptych/assembly/nest';
import { storeCall, type Clock } from '@triptych/platform';
import { CLOCK, REDIS } from '@triptych/platform/nest';
import { ok, refuse, type Result, type ThreadId } from '@triptych/protocol';
import { comesByItself, type RunAgent, type RunLedger } from '@triptych/runs';
import type { Redis } from 'ioredis';

/** What a hub says of its sockets is void after this, ms: five pulses. */
const SAID_MS = 5_000;
const RETRY_MS = 2_000;

interface Offering {
  readonly tenant: string;
  readonly agent: RunAgent;
  readonly thread: ThreadId;
  readonly runId: string;
}

/** Score: until when a hub's word is good (ms); member: the hub. */
const presenceKey = (tenant: string, agentId: string): string =>
  `tt:agents:${JSON.stringify([tenant, agentId])}`;

@Injectable()
export class AgentPresence {
  private readonly hub = randomUUID();

  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LEDGER) private readonly ledger: RunLedger,
  ) {}

  async here(tenant: string, agentId: string): Promise<void> {
    const key = presenceKey(tenant, agentId);
    await storeCall(this.redis.zadd(key, this.clock.now() + SAID_MS, this.hub));
    await storeCall(this.redis.zremrangebyscore(key, '-inf', this.clock.now()));
    await storeCall(this.redis.pexpire(key, 2 * SAID_MS));
  }

  async gone(tenant: string, agentId: string): Promise<void> {
    await storeCall(this.redis.zrem(presenceKey(tenant, agentId), this.hub));
  }

  /** A run that is known already attaches; a new one is offered only where somebody can take it. */
  async mayOffer({ tenant, agent, thread, runId }: Offering): Promise<Result<true>> {
    if (!comesByItself(agent) || (await this.ledger.run(thread, runId))) return ok(true);
    const there = await storeCall(this.redis.zcount(presenceKey(tenant, agent.id), this.clock.now(), '+inf'));
    return there > 0 ? ok(true) : refuse('AGENT_UNAVAILABLE', { retryAfterMs: RETRY_MS });
  }
}
