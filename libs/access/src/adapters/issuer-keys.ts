/** Keeps the keys that an issuer publishes: new ones as soon as a token needs them, none for long after it was withdrawn. */
import { setTimeout as pause } from 'node:timers/promises';
import { calculateJwkThumbprint, createLocalJWKSet, createRemoteJWKSet, type JWTVerifyGetKey } from 'jose';

export interface KeyBounds {
  /** The key set is fetched anew so often: a key that is in it no more is good for at most this and one fetch. */
  readonly refreshMs: number;
  /** While the issuer is away its last keys go on to count for this long. */
  readonly keptMs: number;
  /** Tokens of unknown keys make the hub fetch again, not more often than this however many come. */
  readonly cooldownMs: number;
}

export const KEY_BOUNDS: KeyBounds = { refreshMs: 30_000, keptMs: 3_600_000, cooldownMs: 1_000 };
/** An issuer that takes longer is away. */
const FETCH_TIMEOUT_MS = 5_000;
/** Tokens that wait for a fetch; a herd that comes back to a hub just started is smaller. */
const MAX_WAITING = 10_000;

/** The keys could not be fetched. */
export class KeysAway extends Error {}
/** Too many tokens wait for them. */
export class KeysBusy extends Error {}

export interface IssuerKeysOptions {
  readonly url: string;
  readonly bounds: KeyBounds;
  /** Hears why a fetch failed. */
  readonly report: (failure: unknown) => void;
}

export class IssuerKeys {
  /** Another number: another set of keys. */
  generation = 0;
  private readonly remote: ReturnType<typeof createRemoteJWKSet>;
  private readonly listeners = new Set<() => void>();
  private readonly timer: NodeJS.Timeout;
  private local: JWTVerifyGetKey = createLocalJWKSet({ keys: [] });
  private ids: ReadonlySet<string> = new Set();
  private text = '';
  private fetchedAt = Number.NEGATIVE_INFINITY;
  private beganAt = Number.NEGATIVE_INFINITY;
  private running: Promise<unknown> = Promise.resolve();
  private planned: Promise<void> | undefined;
  private waiting = 0;

  constructor(private readonly options: IssuerKeysOptions) {
    this.remote = createRemoteJWKSet(new URL(options.url), { timeoutDuration: FETCH_TIMEOUT_MS });
    this.timer = setInterval(() => void this.renew().catch(options.report), options.bounds.refreshMs);
    this.timer.unref();
  }

  readonly find: JWTVerifyGetKey = (header, token) => this.local(header, token);

  /** By its thumbprint; as long as no key is known, none is known to be withdrawn. */
  has(keyId: string): boolean {
    return this.generation === 0 || this.ids.has(keyId);
  }

  /** Whether tokens may be judged by what is known. */
  get areUsable(): boolean {
    return Date.now() - this.fetchedAt <= this.options.bounds.keptMs;
  }

  /** Calls `listener` when the set has become another one, until the returned stop. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Rejects with KeysAway when there is nothing to judge a token by. */
  async ready(): Promise<void> {
    if (this.areUsable) return;
    // The one under way serves whoever came since it began.
    await this.running;
    if (!this.areUsable) await this.newest();
  }

  /** Resolves after a fetch that began after this was asked. */
  async newest(): Promise<void> {
    if (this.waiting >= MAX_WAITING) throw new KeysBusy();
    this.waiting += 1;
    try {
      await this.renew();
    } catch (failure) {
      throw new KeysAway('key set', { cause: failure });
    } finally {
      this.waiting -= 1;
    }
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** All who ask before it begins share one fetch. */
  private renew(): Promise<void> {
    this.planned ??= this.inTurn();
    return this.planned;
  }

  private async inTurn(): Promise<void> {
    await this.running;
    const { cooldownMs } = this.options.bounds;
    // A clock may be set back in between.
    await pause(Math.min(cooldownMs, Math.max(0, this.beganAt + cooldownMs - Date.now())));
    this.planned = undefined;
    this.beganAt = Date.now();
    const fetching = this.fetch();
    // Whoever comes next waits for its end, not for its success.
    this.running = fetching.catch(() => undefined);
    await fetching;
  }

  private async fetch(): Promise<void> {
    await this.remote.reload();
    const keys = this.remote.jwks()?.keys ?? [];
    // A key of a kind that nobody knows has no thumbprint, and verifies nothing.
    const ids = await Promise.all(keys.map((key) => calculateJwkThumbprint(key).catch(() => '')));
    this.fetchedAt = Date.now();
    const text = JSON.stringify(keys);
    if (text === this.text) return;
    // All in one step: a token found good by a key must find that key among the issuer's.
    this.text = text;
    this.local = createLocalJWKSet({ keys });
    this.ids = new Set(ids);
    this.generation += 1;
    for (const listener of this.listeners) listener();
  }
}
