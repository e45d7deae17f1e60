/** Decides by a bucket that fills with time whether one more may pass: a burst at once, a steady flow in the long run. */
export interface Flow {
  readonly perMinute: number;
  /** What a full bucket holds. */
  readonly burst: number;
}

export interface Bucket {
  readonly tokens: number;
  /** When it held them, Unix milliseconds. */
  readonly at: number;
}

export type Drawn =
  | { readonly passes: true; readonly bucket: Bucket }
  | { readonly passes: false; readonly bucket: Bucket; readonly retryAfterMs: number };

const MINUTE_MS = 60_000;

/** Of someone unknown the bucket is full. Who is refused takes nothing. */
export const draw = (known: Bucket | undefined, { perMinute, burst }: Flow, now: number): Drawn => {
  const { tokens, at } = known ?? { tokens: burst, at: now };
  // A clock that was set back takes nothing away.
  const since = Math.max(0, now - at);
  const filled = Math.min(burst, tokens + (since / MINUTE_MS) * perMinute);
  if (filled >= 1) return { passes: true, bucket: { tokens: filled - 1, at: now } };
  const retryAfterMs = Math.ceil(((1 - filled) / perMinute) * MINUTE_MS);
  return { passes: false, bucket: { tokens: filled, at: now }, retryAfterMs };
};
