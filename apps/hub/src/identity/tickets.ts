/** Tickets, for those who cannot send a header: who they are for is kept in Redis, the ticket is the key. */
import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import { storeCall } from '@triptych/platform';
import type { Clock } from '@triptych/platform';
import { CLOCK, REDIS } from '@triptych/platform/nest';
import { ok, refuse, type Result, type Surface, type ThreadId } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import { Standing } from './standing.js';

/** Long enough to open a socket with, too short to pass on. */
const SOCKET_TICKET_MS = 30_000;
/** A browser's EventSource comes back by itself, always with the same address: good for some such returns. */
const THREAD_TICKET_MS = 5 * 60_000;
const TICKET_BYTES = 24;
const TICKET = /^[\w-]{32}$/u;

/** What a ticket opens: any one socket of a surface, or this one thread's stream on it. */
export interface TicketFor {
  readonly surface: Surface;
  readonly threadId?: ThreadId;
}

interface Kept extends TicketFor {
  readonly actor: Actor;
}

/** Only a hash is kept: who reads the store cannot use it. The two kinds do not meet. */
const keyOf = (kind: 'socket' | 'thread', ticket: string): string =>
  `tt:ticket:${kind}:${createHash('sha256').update(ticket).digest('base64url')}`;

@Injectable()
export class Tickets {
  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(Standing) private readonly standing: Standing,
  ) {}

  async issue(kept: Kept): Promise<{ ticket: string; expiresAt: number }> {
    const ticket = randomBytes(TICKET_BYTES).toString('base64url');
    const [kind, ms] =
      kept.threadId === undefined
        ? (['socket', SOCKET_TICKET_MS] as const)
        : (['thread', THREAD_TICKET_MS] as const);
    await storeCall(this.redis.set(keyOf(kind, ticket), JSON.stringify(kept), 'PX', ms));
    return { ticket, expiresAt: this.clock.now() + ms };
  }

  /** For one socket, once; of this surface, if it is of one. */
  async redeem(ticket: string, surface?: Surface): Promise<Result<Actor>> {
    const json = TICKET.test(ticket) ? await storeCall(this.redis.getdel(keyOf('socket', ticket))) : null;
    const kept = this.valid(json);
    const opens = kept && (surface === undefined || kept.surface === surface);
    return opens ? ok(kept.actor) : refuse('UNAUTHENTICATED');
  }

  /** For the stream of one thread, as often as it must be opened again. */
  async show(ticket: string, threadId: string): Promise<Result<{ actor: Actor; surface: Surface }>> {
    const json = TICKET.test(ticket) ? await storeCall(this.redis.get(keyOf('thread', ticket))) : null;
    const kept = this.valid(json);
    return kept?.threadId === threadId ? ok(kept) : refuse('UNAUTHENTICATED');
  }

  private valid(json: string | null): Kept | undefined {
    const kept = json === null ? undefined : (JSON.parse(json) as Kept);
    if (!kept || kept.actor.expiresAt <= this.clock.now()) return undefined;
    const actor = this.standing.judge(kept.actor);
    return actor.ok ? { ...kept, actor: actor.value } : undefined;
  }
}
