/** A thread's log as a strip: how fast its events came, and the moments one looks for. */
import { typeOf } from './families.js';
import type { LogBook, Stored } from './log-book.js';

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Where in the strip an event stands, 0 to 1. */
export const placeOf = (seq: number, { from, to }: Span): number =>
  to <= from ? 1 : Math.min(1, Math.max(0, (seq - from) / (to - from)));

/** A place named from outside, among those there are; after the last it is live. Until any is here it is believed. */
export const placeWithin = (seq: number | undefined, { from, to }: Span): number | undefined => {
  if (seq === undefined || to === 0) return seq;
  return seq > to ? undefined : Math.max(from, seq);
};

export const seqAt = (place: number, { from, to }: Span): number =>
  Math.round(from + Math.min(1, Math.max(0, place)) * (to - from));

/** An event a second is slow, a thousand are as fast as it is drawn. */
const FASTEST = Math.log(1_000);
const SECOND = 1_000;

interface Group {
  count: number;
  /** When the event before the first of them came, and the last of them; Unix milliseconds. */
  readonly since: number;
  until: number;
}

const paceOf = ({ count, since, until }: Group): number => {
  const perSecond = (count * SECOND) / Math.max(1, until - since);
  return Math.min(1, Math.log(Math.max(1, perSecond)) / FASTEST);
};

/** Heights of 0 to 1, one a bar; undefined where nothing is loaded. */
export const barsOf = ({ stored }: LogBook, span: Span, count: number): readonly (number | undefined)[] => {
  const groups = new Map<number, Group>();
  let since = stored[0]?.at ?? 0;
  for (const { seq, at } of stored) {
    const bar = Math.min(count - 1, Math.floor(placeOf(seq, span) * count));
    const group = groups.get(bar);
    if (group) Object.assign(group, { count: group.count + 1, until: at });
    else groups.set(bar, { count: 1, since, until: at });
    since = at;
  }
  return Array.from({ length: count }, (_, bar) => {
    const group = groups.get(bar);
    return group && paceOf(group);
  });
};

export interface Landmark {
  readonly seq: number;
  readonly kind: 'wait' | 'bad' | 'ok';
}

const landmarkOf = (entry: Stored): Landmark['kind'] | undefined => {
  const type = typeOf(entry);
  if (type === 'RUN_ERROR') return 'bad';
  if (type !== 'RUN_FINISHED') return undefined;
  const outcome = (entry.event.outcome as { type?: string } | undefined)?.type;
  return outcome === 'interrupt' ? 'wait' : 'ok';
};

export const landmarksOf = ({ stored }: LogBook): readonly Landmark[] =>
  stored.flatMap((entry) => {
    const kind = landmarkOf(entry);
    return kind === undefined ? [] : [{ seq: entry.seq, kind }];
  });

/** The landmark before or after; where there is none, the place itself. */
const landmarkBeside = (landmarks: readonly Landmark[], seq: number, by: 1 | -1): number => {
  const found =
    by > 0 ? landmarks.find((mark) => mark.seq > seq) : landmarks.findLast((mark) => mark.seq < seq);
  return found?.seq ?? seq;
};

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageUp: -100,
  PageDown: 100,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Where a key leads from a place; undefined: it is none of the strip's. */
export const seqByKey = (
  key: string,
  seq: number,
  { span, landmarks }: { readonly span: Span; readonly landmarks: readonly Landmark[] },
): number | undefined => {
  if (key === '[' || key === ']') return landmarkBeside(landmarks, seq, key === ']' ? 1 : -1);
  const by = STEPS[key];
  return by === undefined ? undefined : Math.min(span.to, Math.max(span.from, seq + by));
};

/** The log as it was: nothing after the place. */
export const bookUntil = (book: LogBook, seq: number): LogBook => {
  const stored = book.stored.filter((entry) => entry.seq <= seq);
  const until = book.stored.find((entry) => entry.seq > seq)?.at ?? Number.POSITIVE_INFINITY;
  return { ...book, stored, refused: book.refused.filter(({ at }) => at < until) };
};
