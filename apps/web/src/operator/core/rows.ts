/** Lays the log out in rows: events, with what lies between them told in rows of its own. */
import { familyOf, typeOf, type Family } from './families.js';
import { passes, type Filter } from './filter.js';
import type { Entry, LogBook, Stored } from './log-book.js';

export type Row =
  | {
      readonly kind: 'event';
      readonly key: string;
      readonly entry: Entry;
      /** Ms after the event before. */ readonly after?: number;
    }
  | { readonly kind: 'people'; readonly key: string; readonly ms: number; readonly runId: string }
  | { readonly kind: 'run'; readonly key: string; readonly runId: string }
  | { readonly kind: 'gap'; readonly key: string; readonly from: number; readonly to: number }
  | {
      readonly kind: 'fold';
      readonly key: string;
      /** The pieces it stands for, at least two. */
      readonly entries: readonly Stored[];
      readonly after?: number;
      /** Its pieces follow it, each in a row of its own. */
      readonly isOpen: boolean;
    };

export type EventRow = Extract<Row, { kind: 'event' }>;
export type FoldRow = Extract<Row, { kind: 'fold' }>;

const keyOf = (entry: Entry, index: number): string =>
  entry.kind === 'stored' ? `e${entry.seq}` : `r${entry.at}/${index}`;

/** Refused events have no seq; they stand where their time puts them. */
const inOrder = (book: LogBook): readonly Entry[] => {
  if (book.refused.length === 0) return book.stored;
  const waiting = [...book.refused].sort((a, b) => a.at - b.at);
  const entries: Entry[] = [];
  for (const entry of book.stored) {
    while (waiting[0] !== undefined && waiting[0].at <= entry.at) entries.push(waiting.shift() as Entry);
    entries.push(entry);
  }
  return [...entries, ...waiting];
};

const interrupted = (entry: Stored | undefined): boolean => {
  if (entry === undefined || typeOf(entry) !== 'RUN_FINISHED') return false;
  return (entry.event.outcome as { type?: string } | undefined)?.type === 'interrupt';
};

const runIdOf = ({ event }: Stored): string => (typeof event.runId === 'string' ? event.runId : '');

/** What is to be told between two events: a gap, the time people took, or another run. */
const between = (before: Stored | undefined, entry: Stored): readonly Row[] => {
  const rows: Row[] = [];
  if (before !== undefined && entry.seq > before.seq + 1) {
    rows.push({ kind: 'gap', key: `g${entry.seq}`, from: before.seq + 1, to: entry.seq - 1 });
  }
  if (typeOf(entry) !== 'RUN_STARTED' || before === undefined) return rows;
  const runId = runIdOf(entry);
  if (interrupted(before))
    rows.push({ kind: 'people', key: `p${entry.seq}`, ms: entry.at - before.at, runId });
  else rows.push({ kind: 'run', key: `n${entry.seq}`, runId });
  return rows;
};

export interface Laid {
  readonly rows: readonly Row[];
  readonly shown: number;
  readonly hidden: number;
}

export const layRows = (book: LogBook, filter: Filter): Laid => {
  const rows: Row[] = [];
  let before: Stored | undefined;
  let shown = 0;
  const entries = inOrder(book);
  entries.forEach((entry, index) => {
    const fits = passes(filter, entry);
    if (entry.kind === 'stored') {
      rows.push(...between(before, entry));
      if (fits)
        rows.push({
          kind: 'event',
          key: keyOf(entry, index),
          entry,
          ...(before ? { after: entry.at - before.at } : {}),
        });
      before = entry;
    } else if (fits) rows.push({ kind: 'event', key: keyOf(entry, index), entry });
    if (fits) shown += 1;
  });
  return { rows, shown, hidden: entries.length - shown };
};

export const familyCounts = (book: LogBook): ReadonlyMap<Family, number> => {
  const counts = new Map<Family, number>();
  for (const entry of [...book.stored, ...book.refused]) {
    const family = familyOf(entry);
    counts.set(family, (counts.get(family) ?? 0) + 1);
  }
  return counts;
};

/** The run an event belongs to: the last that started before it. */
export const runOf = (book: LogBook, seq: number): string | undefined => {
  const started = book.stored.findLast((entry) => entry.seq <= seq && typeOf(entry) === 'RUN_STARTED');
  return started === undefined ? undefined : runIdOf(started);
};
