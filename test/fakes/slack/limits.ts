/** How often a method may be called: per workspace by its tier, messages besides by channel. */
export const TIERS = { two: 20, three: 50, four: 100, chatty: 600 } as const;
export type Tier = keyof typeof TIERS;

const MINUTE_MS = 60_000;
/** One message a second and channel; a few more at once are let pass. */
const POST_EVERY_MS = 1_000;
const POST_BURST = 5;
/** For apps that are distributed but not in the marketplace: one look at a channel's past a minute. */
const HISTORY_EVERY_MS = 60_000;

interface Bucket {
  tokens: number;
  at: number;
}

interface Terms {
  readonly everyMs: number;
  readonly burst: number;
}

export class Limits {
  /** False: nobody is ever limited, for tests of something else. */
  enforced = true;
  /** The strict terms of history that new apps have. */
  newApp = false;
  private readonly buckets = new Map<string, Bucket>();
  private readonly shut = new Map<string, number>();

  constructor(private readonly now: () => number) {}

  /** From now on every call of this name (a method, or `method:channel`) is limited for so long. */
  shutFor(name: string, ms: number): void {
    this.shut.set(name, this.now() + ms);
  }

  /** Seconds to wait; undefined: it may be done. */
  take(method: string, tier: Tier, channel?: string): number | undefined {
    const shut =
      Math.max(this.shut.get(method) ?? 0, this.shut.get(`${method}:${channel}`) ?? 0) - this.now();
    if (shut > 0) return Math.ceil(shut / 1_000);
    if (!this.enforced) return undefined;
    const terms = this.termsOf(method, tier);
    const name = method === 'chat.postMessage' ? `${method}:${channel}` : method;
    return this.from(name, terms);
  }

  private termsOf(method: string, tier: Tier): Terms {
    if (method === 'chat.postMessage') return { everyMs: POST_EVERY_MS, burst: POST_BURST };
    if (this.newApp && /^conversations\.(?:history|replies)$/u.test(method))
      return { everyMs: HISTORY_EVERY_MS, burst: 1 };
    return { everyMs: MINUTE_MS / TIERS[tier], burst: TIERS[tier] };
  }

  private from(name: string, { everyMs, burst }: Terms): number | undefined {
    const now = this.now();
    const { tokens, at } = this.buckets.get(name) ?? { tokens: burst, at: now };
    const filled = Math.min(burst, tokens + (now - at) / everyMs);
    if (filled < 1) {
      this.buckets.set(name, { tokens: filled, at: now });
      return Math.max(1, Math.ceil(((1 - filled) * everyMs) / 1_000));
    }
    this.buckets.set(name, { tokens: filled - 1, at: now });
    return undefined;
  }
}
