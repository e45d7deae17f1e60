/** Knows what was revoked, as far as it was read or heard of; whoever must know what is so now reads first. */
import { type Actor, type Revocation, Revocations, type RevokedName } from '@triptych/access';
import type { Clock, Log } from '@triptych/platform';
import { ok, refuse, type Result } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import type { RevocationStore } from './revocation-store.js';

export interface RevocationParts {
  readonly store: RevocationStore;
  readonly clock: Clock;
  readonly log: Log;
}

export class KnownRevocations {
  private readonly known = new Revocations();
  private readonly listeners = new Set<() => void>();
  /** All up to this one were read; news do not count, for those before them may have been lost. */
  private readTo = 0;

  constructor(private readonly parts: RevocationParts) {}

  /** The same actor, one with fewer roles, or none. */
  judge(actor: Actor): Result<Actor> {
    return this.known.judge(actor);
  }

  /** The judgement by all that was revoked until now. */
  async standing(): Promise<(actor: Actor) => Result<Actor>> {
    await this.read();
    return (actor) => this.known.judge(actor);
  }

  /** Calls `listener` whenever more was revoked, until the returned stop. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Known here when it answers. */
  async revoke(name: RevokedName): Promise<Result<Revocation>> {
    if (!this.known.hasRoomFor(name))
      return refuse('RATE_LIMITED', { details: { limit: 'MAX_REVOCATIONS' } });
    const revocation = await this.parts.store.add(name);
    this.take([revocation]);
    return ok(revocation);
  }

  /** Hears of each one as it comes, until the returned stop; those told while the line was down are to be read. */
  listen(subscriber: Redis): () => void {
    const { store, log } = this.parts;
    return store.listen({ subscriber, log, listener: (revocation) => this.take([revocation]) });
  }

  /** What was revoked before this began is known when it ends. */
  async read(): Promise<void> {
    const { store, clock } = this.parts;
    this.known.forget(clock.now());
    const told = this.known.newest;
    let newest = await store.newest();
    // A store that lost what it had acknowledged is given it again; what it kept may still be news here.
    if (newest < told) {
      await this.restore();
      newest = told;
    }
    while (this.readTo < newest) {
      const more = await store.after(this.readTo);
      this.readTo = Math.max(this.readTo, more.at(-1)?.at ?? newest);
      this.take(more);
    }
  }

  private async restore(): Promise<void> {
    const known = this.known.all();
    await this.parts.store.restore(known);
    this.parts.log.warn('revocations.restored', { count: known.length });
  }

  private take(revocations: readonly Revocation[]): void {
    const news = revocations.filter((each) => this.known.note(each));
    if (news.length === 0) return;
    for (const listener of this.listeners) listener();
  }
}
