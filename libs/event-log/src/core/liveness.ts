/** Decides when a silent subscription must be asked for a sign of life, and when it is dead. */
export interface Liveness {
  readonly heardAt: number;
  /** Set while an echo is awaited. */
  readonly probedAt?: number;
}

export interface LivenessBounds {
  /** So long silence proves nothing. */
  readonly idleMs: number;
  /** So long an echo may take. */
  readonly echoMs: number;
}

/** A silent loss is found within 10 s; a busy subscription is never probed. */
export const DEFAULT_LIVENESS: LivenessBounds = { idleMs: 5_000, echoMs: 5_000 };

export const heardAt = (now: number): Liveness => ({ heardAt: now });

export const judgeLiveness = (
  { heardAt: last, probedAt }: Liveness,
  now: number,
  bounds: LivenessBounds,
): 'fine' | 'probe' | 'dead' => {
  if (probedAt !== undefined) return now - probedAt >= bounds.echoMs ? 'dead' : 'fine';
  return now - last >= bounds.idleMs ? 'probe' : 'fine';
};
