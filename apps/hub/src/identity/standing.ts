/** Says who is still good: the one judgement on tokens, tickets and everything open, by what was revoked and whose key was withdrawn. */
import { type Actor, type Issuer, type Revocation, Revocations, type RevokedName } from '@triptych/access';
import { every, inBackground, type Clock, type Log, type Shutdown } from '@triptych/platform';
import { isStoreAway, ok, refuse, type Result } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import type { RevocationStore } from './revocation-store.js';

/** News come at once; when they are lost this still keeps what is revoked within its second. */
const LOOK_MS = 400;

export interface StandingParts {
  readonly issuer: Pick<Issuer, 'vouchesFor' | 'onChange'>;
  readonly store: RevocationStore;
  readonly subscriber: Redis;
  readonly clock: Clock;
  readonly log: Log;
  readonly shutdown: Shutdown;
}

export class Standing {
  private readonly known = new Revocations();
  private readonly listeners = new Set<() => void>();
  /** All up to this one were read; news do not count, for those before them may have been lost. */
  private readTo = 0;
  private looking = false;

  private constructor(private readonly parts: StandingParts) {}

  /** Rejects where it cannot be read what is revoked: then nobody is to be let in. */
  static async open(parts: StandingParts): Promise<Standing> {
    const standing = new Standing(parts);
    await standing.read();
    parts.shutdown.add('revocations', standing.follow());
    return standing;
  }

  /** The actor as they are now: the same, with fewer roles, or refused. */
  judge(actor: Actor): Result<Actor> {
    if (!this.parts.issuer.vouchesFor(actor))
      return refuse('UNAUTHENTICATED', { message: 'The key of the token was withdrawn.' });
    return this.known.judge(actor);
  }

  /** Calls `listener` whenever more was revoked or keys were withdrawn, until the returned stop. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** In force here when it answers. */
  async revoke(name: RevokedName): Promise<Result<Revocation>> {
    if (!this.known.hasRoomFor(name))
      return refuse('RATE_LIMITED', { details: { limit: 'MAX_REVOCATIONS' } });
    const revocation = await this.parts.store.add(name);
    this.take([revocation]);
    return ok(revocation);
  }

  private follow(): () => void {
    const { issuer, store, subscriber, log } = this.parts;
    const heedNoMore = issuer.onChange(() => this.tell());
    const deafen = store.listen({ subscriber, log, listener: (revocation) => this.take([revocation]) });
    const stop = every(LOOK_MS, () => inBackground(log, 'revocations', this.look()));
    return () => {
      heedNoMore();
      deafen();
      stop();
    };
  }

  /** While the store is away, what is known goes on to count. */
  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      await this.read();
    } catch (error) {
      if (!isStoreAway(error)) throw error;
    } finally {
      this.looking = false;
    }
  }

  private async read(): Promise<void> {
    const { store, clock } = this.parts;
    this.known.forget(clock.now());
    const told = this.known.newest;
    const newest = await store.newest();
    // A store that lost what it had acknowledged is given it again.
    if (newest < told) return this.restore();
    while (this.readTo < newest) {
      const more = await store.after(this.readTo);
      this.readTo = more.at(-1)?.at ?? newest;
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
    if (news.length > 0) this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
