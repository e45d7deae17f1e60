/** Keeps the keys that the Bot Connector signs with, and the channels each of them may speak for. */
import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';

export const TEAMS_OPENID_URL = 'https://login.botframework.com/v1/.well-known/openidconfiguration';

export interface KeyBounds {
  /** As documented, keys are looked up anew once a day. */
  readonly cacheMs: number;
  /** Tokens of unknown keys make the hub look again, however many come, not more often than this. */
  readonly cooldownMs: number;
  /** Whoever takes longer to answer is away. */
  readonly fetchMs: number;
}
export const TEAMS_KEY_BOUNDS: KeyBounds = {
  cacheMs: 24 * 60 * 60 * 1000,
  cooldownMs: 30_000,
  fetchMs: 5_000,
};

const metadata = z.object({ jwks_uri: z.url() });
const endorsed = z.object({ kid: z.string(), endorsements: z.array(z.string()).catch([]) });

/** The keys could not be fetched. */
export class TeamsKeysAway extends Error {}

type RemoteKeys = ReturnType<typeof createRemoteJWKSet>;

export class TeamsKeys {
  private known: { readonly keys: RemoteKeys; readonly until: number } | undefined;
  private asking: Promise<RemoteKeys> | undefined;
  private failedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly url: string,
    private readonly bounds: KeyBounds = TEAMS_KEY_BOUNDS,
  ) {}

  /** Without a name no key is found: which one a token is of is not guessed. */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    if (typeof header.kid !== 'string' || header.kid === '') throw new errors.JWKSNoMatchingKey();
    const keys = await this.keys();
    try {
      return await keys(header, token);
    } catch (failure) {
      throw failure instanceof errors.JWKSNoMatchingKey
        ? failure
        : new TeamsKeysAway('keys', { cause: failure });
    }
  };

  /** Of a key by which a token was verified. */
  endorsementsOf(kid: string | undefined): readonly string[] {
    const keys: readonly unknown[] = this.known?.keys.jwks()?.keys ?? [];
    for (const key of keys) {
      const read = endorsed.safeParse(key);
      if (read.success && read.data.kid === kid) return read.data.endorsements;
    }
    return [];
  }

  private async keys(): Promise<RemoteKeys> {
    if (this.known && Date.now() < this.known.until) return this.known.keys;
    if (Date.now() < this.failedAt + this.bounds.cooldownMs) throw new TeamsKeysAway('metadata');
    this.asking ??= this.ask().finally(() => (this.asking = undefined));
    return this.asking;
  }

  private async ask(): Promise<RemoteKeys> {
    try {
      const response = await fetch(this.url, {
        signal: AbortSignal.timeout(this.bounds.fetchMs),
        redirect: 'error',
      });
      const { jwks_uri: address } = metadata.parse(await response.json());
      const keys = createRemoteJWKSet(new URL(address), {
        timeoutDuration: this.bounds.fetchMs,
        cooldownDuration: this.bounds.cooldownMs,
        cacheMaxAge: this.bounds.cacheMs,
      });
      this.known = { keys, until: Date.now() + this.bounds.cacheMs };
      return keys;
    } catch (failure) {
      this.failedAt = Date.now();
      throw new TeamsKeysAway('metadata', { cause: failure });
    }
  }
}
