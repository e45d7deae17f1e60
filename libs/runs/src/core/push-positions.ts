/** Puts what several sources push to one thread in the order of its positions: what goes now, what waits, what comes too late. */

export interface Positioned {
  /** From 1, each once a thread. */
  readonly position: number;
}

/** An event that is kept until those before it are there, or have been waited for long enough. */
export interface Waiting extends Positioned {
  /** Since when, Unix milliseconds. */
  readonly at: number;
  readonly chars: number;
}

/** Positions that were given up, the first and the last of them. */
export type Gap = readonly [from: number, to: number];

/** What was given up so far. */
export interface Passed {
  /** Up to here it is forgotten what came and what did not. */
  readonly floor: number;
  /** Ascending. */
  readonly gaps: readonly Gap[];
}

export interface Order extends Passed {
  /** Everything before it is dealt with or given up. */
  readonly next: number;
  readonly waiting: readonly Waiting[];
}

export interface OrderPlan<T extends Positioned> {
  /** Dealt with before, or waiting already. */
  readonly repeats: readonly T[];
  /** Given up before they came, or so long ago that nobody can tell. */
  readonly late: readonly T[];
  /** One stretch without a hole; more may follow once it is stored. */
  readonly go: readonly (T | Waiting)[];
  /** Given up with it. */
  readonly missing?: Gap;
  /** To be kept waiting, when nothing is left to go. */
  readonly later: readonly T[];
  /** When those that wait then have waited long enough; absent when none does. */
  readonly due?: number;
}

/** Gaps that a thread remembers. */
export const MAX_GAPS = 1_000;

/** How far a position may be ahead of the one that is awaited: giving up all between is for faults, not for slips. */
const MAX_AHEAD = 1_000_000;

export const isTooFar = ({ next }: Pick<Order, 'next'>, { position }: Positioned): boolean =>
  position > next + MAX_AHEAD;

export const NOTHING_PASSED: Passed = { floor: 0, gaps: [] };

const isMissing = (gaps: readonly Gap[], position: number): boolean =>
  gaps.some(([from, to]) => from <= position && position <= to);

const bounded = ({ floor, gaps }: Passed): Passed => {
  const forgotten = gaps.slice(0, Math.max(0, gaps.length - MAX_GAPS));
  return { floor: forgotten.at(-1)?.[1] ?? floor, gaps: gaps.slice(forgotten.length) };
};

export const passOver = ({ floor, gaps }: Passed, gap: Gap): Passed =>
  bounded({ floor, gaps: [...gaps, gap] });

/** One that was given up has come after all. */
export const cameLate = ({ floor, gaps }: Passed, position: number): Passed => {
  const left = gaps.flatMap(([from, to]): readonly Gap[] => {
    if (position < from || to < position) return [[from, to]];
    const parts: readonly Gap[] = [
      [from, position - 1],
      [position + 1, to],
    ];
    return parts.filter(([first, last]) => first <= last);
  });
  return bounded({ floor, gaps: left });
};

interface Sorted<T> {
  readonly repeats: T[];
  readonly late: T[];
  readonly fresh: T[];
}

const sorted = <T extends Positioned>(
  { next, floor, gaps, waiting }: Order,
  arrived: readonly T[],
): Sorted<T> => {
  const known = new Set(waiting.map(({ position }) => position));
  const parts: Sorted<T> = { repeats: [], late: [], fresh: [] };
  for (const item of arrived) {
    const { position } = item;
    if (known.has(position)) parts.repeats.push(item);
    else if (position >= next) parts.fresh.push(item);
    else (position <= floor || isMissing(gaps, position) ? parts.late : parts.repeats).push(item);
    known.add(position);
  }
  return parts;
};

interface Walked<T extends Positioned> {
  readonly go: readonly (T | Waiting)[];
  /** All that goes now, in this stretch or one after it, is before it. */
  readonly reach: number;
}

/** From `next` on, past every hole that lies before something that has waited long enough. */
const walk = <T extends Positioned>(
  inOrder: readonly (T | Waiting)[],
  next: number,
  overdue: number,
): Walked<T> => {
  const go: (T | Waiting)[] = [];
  let reach = next;
  for (const item of inOrder) {
    const { position } = item;
    if (position !== reach && position > overdue) break;
    if (go.length === 0 || go.at(-1)?.position === position - 1) go.push(item);
    reach = position + 1;
  }
  return { go, reach };
};

const byPosition = (a: Positioned, b: Positioned): number => a.position - b.position;

export const planOrder = <T extends Positioned>(
  order: Order,
  arrived: readonly T[],
  { now, windowMs }: { readonly now: number; readonly windowMs: number },
): OrderPlan<T> => {
  const { next, waiting } = order;
  const { repeats, late, fresh } = sorted(order, arrived);
  const over = waiting.filter(({ at }) => at + windowMs <= now);
  const patience = windowMs > 0 ? over : [...waiting, ...fresh];
  const overdue = patience.reduce((most, { position }) => Math.max(most, position), 0);
  const { go, reach } = walk<T>([...waiting, ...fresh].toSorted(byPosition), next, overdue);
  const first = go[0]?.position ?? next;
  const later = fresh.filter(({ position }) => position >= reach);
  const since = waiting.filter(({ position }) => position >= reach).map(({ at }) => at);
  if (later.length > 0) since.push(now);
  return {
    ...{ repeats, late, go, later },
    ...(first > next ? { missing: [next, first - 1] as const } : {}),
    ...(since.length > 0 ? { due: Math.min(...since) + windowMs } : {}),
  };
};
