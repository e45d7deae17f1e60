/** The events of one thread as the console knows them: in order, each once, with what is missing told. */
import type { AguiData, AguiEvent, SeenBy, Source } from '@triptych/protocol';

export interface Stored {
  readonly kind: 'stored';
  readonly seq: number;
  readonly at: number;
  readonly source: Source;
  readonly event: AguiEvent;
  readonly seen?: SeenBy;
  /** The producer's own text, where the hub stored another. */
  readonly raw?: string;
}

/** Kept for the operator, sent to nobody. */
export interface Refused {
  readonly kind: 'refused';
  readonly at: number;
  readonly rule: string;
  readonly message?: string;
  readonly event: unknown;
}

export type Entry = Stored | Refused;

export interface LogBook {
  readonly epoch: string;
  /** Ascending, each seq once. */
  readonly stored: readonly Stored[];
  readonly refused: readonly Refused[];
  /** The first seq the hub still has. */
  readonly firstSeq: number;
}

export const emptyBook = (epoch: string): LogBook => ({ epoch, stored: [], refused: [], firstSeq: 1 });

/** `"<epoch>:<seq>"`, the one position that may be read. */
export const readPosition = (pos: string): { readonly epoch: string; readonly seq: number } => {
  const at = pos.lastIndexOf(':');
  return { epoch: pos.slice(0, at), seq: Number(pos.slice(at + 1)) };
};

/** Live, everything new comes after everything known. */
const follows = (old: readonly Stored[], more: readonly Stored[]): boolean => {
  const known = old.at(-1)?.seq ?? 0;
  return more.every((entry, index) => entry.seq > (more[index - 1]?.seq ?? known));
};

/** A console that is left open lets go of its oldest events beyond so many; they are loaded again on demand. */
export const MAX_KEPT = 100_000;

const merged = (old: readonly Stored[], more: readonly Stored[]): readonly Stored[] => {
  if (more.length === 0) return old;
  if (follows(old, more)) return [...old.slice(Math.max(0, old.length + more.length - MAX_KEPT)), ...more];
  const all = new Map([...old, ...more].map((entry) => [entry.seq, entry]));
  return [...all.values()].sort((a, b) => a.seq - b.seq);
};

export const withStored = (book: LogBook, more: readonly Stored[]): LogBook => ({
  ...book,
  stored: merged(book.stored, more),
});

/** The frames of the operator's surface carry one entry of each list an event. */
export const entriesOf = (data: AguiData): readonly Stored[] =>
  data.events.flatMap((event, index) => {
    const seq = data.seqs?.[index];
    if (seq === undefined) return [];
    const seen = data.seen?.[index];
    return [
      {
        kind: 'stored' as const,
        seq,
        at: data.at?.[index] ?? 0,
        source: data.source?.[index] ?? 'agent',
        event,
        ...(seen === undefined ? {} : { seen }),
      },
    ];
  });

interface PageItem {
  readonly refused?: true;
  readonly seq?: number;
  readonly at: number;
  readonly source?: Source;
  readonly event: unknown;
  readonly seen?: SeenBy;
  readonly raw?: string;
  readonly rule?: string;
  readonly message?: string;
}

export interface LogPage {
  readonly items: readonly PageItem[];
  readonly firstSeq?: number;
}

const parsed = (event: unknown): unknown => {
  if (typeof event !== 'string') return event;
  try {
    return JSON.parse(event) as unknown;
  } catch {
    // Refused because it is no JSON: its text is what there is.
    return event;
  }
};

const refusedOf = (item: PageItem): Refused => ({
  kind: 'refused',
  at: item.at,
  rule: item.rule ?? '',
  event: parsed(item.event),
  ...(item.message === undefined ? {} : { message: item.message }),
});

const storedOf = ({ refused: _refused, ...item }: PageItem): Stored =>
  ({ ...item, kind: 'stored' }) as Stored;

export const withPage = (book: LogBook, page: LogPage): LogBook => {
  const stored = page.items.filter((item) => !item.refused).map(storedOf);
  const refused = page.items.filter((item) => item.refused).map(refusedOf);
  const known = new Set(book.refused.map((entry) => `${entry.at}${JSON.stringify(entry.event)}`));
  const fresh = refused.filter((entry) => !known.has(`${entry.at}${JSON.stringify(entry.event)}`));
  return {
    ...withStored(book, stored),
    refused: fresh.length === 0 ? book.refused : [...book.refused, ...fresh],
    firstSeq: page.firstSeq ?? book.firstSeq,
  };
};

export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** The ranges of seqs that are known to exist and are not here. */
export const gapsIn = (book: LogBook): readonly Gap[] =>
  book.stored.flatMap((entry, index) => {
    const before = book.stored[index - 1];
    return before !== undefined && entry.seq > before.seq + 1
      ? [{ from: before.seq + 1, to: entry.seq - 1 }]
      : [];
  });

/** The first gap that one load fills; a larger one is what the reader chose not to load. */
export const smallGap = (book: LogBook, most: number): Gap | undefined =>
  gapsIn(book).find(({ from, to }) => to - from < most);
