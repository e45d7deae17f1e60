/** Says who is still good: the one judgement on tokens, tickets and everything open, by what was revoked and whose key was withdrawn. */
import type { Actor, Issuer, Revocation, RevokedName } from '@triptych/access';
import type { KnownRevocations } from '@triptych/assembly/nest';
import { every, inBackground, type Log, type Shutdown } from '@triptych/platform';
import { isStoreAway, refuse, type Result } from '@triptych/protocol';
import type { Redis } from 'ioredis';

/** News come at once; when they are lost this still keeps what is revoked within its second. */
const LOOK_MS = 400;

export interface StandingParts {
  readonly issuer: Pick<Issuer, 'vouchesFor' | 'onChange'>;
  readonly known: KnownRevocations;
  readonly subscriber: Redis;
  readonly log: Log;
  readonly shutdown: Shutdown;
}

export class Standing {
  private looking = false;

  private constructor(private readonly parts: StandingParts) {}

  /** Rejects where it cannot be read what is revoked: then nobody is to be let in. */
  static async open(parts: StandingParts): Promise<Standing> {
    const standing = new Standing(parts);
    await parts.known.read();
    parts.shutdown.add('revocations', standing.follow());
    return standing;
  }

  /** The actor as they are now: the same, with fewer roles, or refused. */
  judge(actor: Actor): Result<Actor> {
    if (!this.parts.issuer.vouchesFor(actor))
      return refuse('UNAUTHENTICATED', { message: 'The key of the token was withdrawn.' });
    return this.parts.known.judge(actor);
  }

  /** For whom a bridge speaks: they came without a token, so there is no key that could have been withdrawn. */
  judgeLinked(actor: Actor): Result<Actor> {
    return this.parts.known.judge(actor);
  }

  /** Calls `listener` whenever more was revoked or keys were withdrawn, until the returned stop. */
  onChange(listener: () => void): () => void {
    const { issuer, known } = this.parts;
    const stops = [issuer.onChange(listener), known.onChange(listener)];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** In force here when it answers. */
  revoke(name: RevokedName): Promise<Result<Revocation>> {
    return this.parts.known.revoke(name);
  }

  private follow(): () => void {
    const { known, subscriber, log } = this.parts;
    const deafen = known.listen(subscriber);
    const stop = every(LOOK_MS, () => inBackground(log, 'revocations', this.look()));
    return () => {
      deafen();
      stop();
    };
  }

  /** While the store is away, what is known goes on to count. */
  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      await this.parts.known.read();
    } catch (error) {
      if (!isStoreAway(error)) throw error;
    } finally {
      this.looking = false;
    }
  }
}
