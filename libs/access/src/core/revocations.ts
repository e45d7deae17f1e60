/** What admins took back: tokens by their id, by whom they speak for, or one role of all of them. */
import { ok, refuse, type Result } from '@triptych/protocol';
import { type Actor, MAX_TOKEN_LIFE_MS } from './actor.js';

export const REVOKED_BY = ['jti', 'sub', 'role'] as const;
export type RevokedBy = (typeof REVOKED_BY)[number];

export interface RevokedName {
  readonly tenant: string;
  readonly by: RevokedBy;
  readonly name: string;
}

/** Reaches the tokens of its tenant that were issued at this time or before; Unix milliseconds of the store. */
export interface Revocation extends RevokedName {
  readonly at: number;
}

/** Of one tenant: about 2 MB in every hub. Whoever must take back more takes back a role. */
export const MAX_REVOCATIONS = 10_000;

const keyOf = ({ tenant, by, name }: RevokedName): string => JSON.stringify([tenant, by, name]);

export class Revocations {
  /** Oldest first. */
  private readonly entries = new Map<string, Revocation>();
  private latest = 0;

  /** False: this is known. */
  note(revocation: Revocation): boolean {
    const key = keyOf(revocation);
    if ((this.entries.get(key)?.at ?? 0) >= revocation.at) return false;
    this.entries.delete(key);
    this.entries.set(key, revocation);
    this.latest = Math.max(this.latest, revocation.at);
    return true;
  }

  /** ACC-51: what was revoked so long ago reaches no token that is good. */
  forget(now: number): void {
    for (const [key, { at }] of this.entries) {
      if (at + MAX_TOKEN_LIFE_MS >= now) return;
      this.entries.delete(key);
    }
    this.latest = 0;
  }

  /** When something was revoked last; 0: nothing is. */
  get newest(): number {
    return this.latest;
  }

  all(): readonly Revocation[] {
    return [...this.entries.values()];
  }

  /** Saying again what is known needs no room. */
  hasRoomFor(name: RevokedName): boolean {
    if (this.entries.has(keyOf(name))) return true;
    return this.all().filter(({ tenant }) => tenant === name.tenant).length < MAX_REVOCATIONS;
  }

  /** ACC-50: the same actor, one with fewer roles, or none. */
  judge(actor: Actor): Result<Actor> {
    const { subject, tokenId, roles } = actor;
    if (this.reaches(actor, 'sub', subject) || (tokenId !== undefined && this.reaches(actor, 'jti', tokenId)))
      return refuse('UNAUTHENTICATED', { message: 'The token was revoked.' });
    const left = roles.filter((role) => !this.reaches(actor, 'role', role));
    return ok(left.length === roles.length ? actor : { ...actor, roles: left });
  }

  private reaches({ tenant, issuedAt }: Actor, by: RevokedBy, name: string): boolean {
    const at = this.entries.get(keyOf({ tenant, by, name }))?.at;
    return at !== undefined && issuedAt <= at;
  }
}
