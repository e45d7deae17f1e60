/** One-time tickets, for those who cannot send a header: who they are for is kept in Redis, the ticket is the key. */
import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import { storeCall } from '@triptych/platform';
import type { Clock } from '@triptych/platform';
import { CLOCK, REDIS } from '@triptych/platform/nest';
import { ok, refuse, type Result, type Surface } from '@triptych/protocol';
import type { Redis } from 'ioredis';

/** Long enough to open a socket with, too short to pass on. */
const TICKET_MS = 30_000;
const TICKET_BYTES = 24;
const TICKET = /^[\w-]{32}$/u;

interface Kept {
  readonly actor: Actor;
  readonly surface: Surface;
}

/** Only a hash is kept: who reads the store cannot use it. */
const keyOf = (ticket: string): string =>
  `tt:ticket:${createHash('sha256').update(ticket).digest('base64url')}`;

@Injectable()
export class Tickets {
  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async issue(kept: Kept): Promise<{ ticket: string; expiresAt: number }> {
    const ticket = randomBytes(TICKET_BYTES).toString('base64url');
    await storeCall(this.redis.set(keyOf(ticket), JSON.stringify(kept), 'PX', TICKET_MS));
    return { ticket, expiresAt: this.clock.now() + TICKET_MS };
  }

  async redeem(ticket: string, surface: Surface): Promise<Result<Actor>> {
    const json = TICKET.test(ticket) ? await storeCall(this.redis.getdel(keyOf(ticket))) : null;
    const kept = json === null ? undefined : (JSON.parse(json) as Kept);
    return kept?.surface === surface && kept.actor.expiresAt > this.clock.now()
      ? ok(kept.actor)
      : refuse('UNAUTHENTICATED');
  }
}
