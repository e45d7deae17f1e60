/** Lays what each surface was shown beside what came, event by event; the pieces of one message are one row. */
import type { AguiEvent, Seen, SeenBy } from '@triptych/protocol';
import { familyOf, type Family } from './families.js';
import type { Stored } from './log-book.js';

export const LESSER = ['reviewer', 'customer'] as const;
export type Lesser = (typeof LESSER)[number];

/** An event of the log with what became of it on the surfaces that do not see everything. */
export interface SawEntry extends Stored {
  readonly shown: Readonly<Record<Lesser, readonly AguiEvent[]>>;
}

export interface SawRow {
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly family: Family;
  /** An event's type, or what its pieces are pieces of. */
  readonly name: string;
  readonly pieces: number;
  readonly came: readonly AguiEvent[];
  readonly seen: SeenBy;
  readonly shown: SawEntry['shown'];
}

const PIECES: readonly (readonly [types: RegExp, name: string, id: string])[] = [
  [/^TEXT_MESSAGE_(START|CONTENT|END)$/u, 'TEXT_MESSAGE', 'messageId'],
  [/^REASONING_MESSAGE_(START|CONTENT|END)$/u, 'REASONING_MESSAGE', 'messageId'],
  [/^TOOL_CALL_(START|ARGS|END)$/u, 'TOOL_CALL', 'toolCallId'],
];

interface Whole {
  readonly name: string;
  /** Undefined: it is a whole by itself. */
  readonly id?: string;
}

const wholeOf = (event: AguiEvent): Whole => {
  const found = PIECES.find(([types]) => types.test(event.type));
  if (!found) return { name: event.type };
  const [, name, key] = found;
  return { name, id: String(event[key]) };
};

/** Of the pieces together: some of it was shown, or all, or nothing. */
const together = (a: Seen, b: Seen): Seen => (a === b ? a : 'redacted');

export const seenTogether = (a: SeenBy, b: SeenBy): SeenBy => ({
  customer: together(a.customer, b.customer),
  reviewer: together(a.reviewer, b.reviewer),
});

const begun = (entry: SawEntry, name: string): SawRow => ({
  ...{ from: entry.seq, to: entry.seq, at: entry.at, family: familyOf(entry), name, pieces: 1 },
  came: [entry.event],
  seen: entry.seen ?? { customer: 'hidden', reviewer: 'hidden' },
  shown: entry.shown,
});

const grown = (row: SawRow, more: SawRow): SawRow => ({
  ...row,
  to: more.to,
  pieces: row.pieces + 1,
  came: [...row.came, ...more.came],
  seen: seenTogether(row.seen, more.seen),
  shown: {
    customer: [...row.shown.customer, ...more.shown.customer],
    reviewer: [...row.shown.reviewer, ...more.shown.reviewer],
  },
});

/** In the order of the log; only pieces that follow each other are put together. */
export const sawRows = (entries: readonly SawEntry[]): readonly SawRow[] => {
  const rows: SawRow[] = [];
  let last: Whole = { name: '' };
  for (const entry of entries) {
    const whole = wholeOf(entry.event);
    const row = begun(entry, whole.name);
    const before = rows.at(-1);
    if (before && whole.id !== undefined && whole.name === last.name && whole.id === last.id)
      rows[rows.length - 1] = grown(before, row);
    else rows.push(row);
    last = whole;
  }
  return rows;
};

export const differs = ({ seen }: SawRow): boolean => seen.customer !== 'full' || seen.reviewer !== 'full';

/** The first seq that is not known yet between two; undefined: all are. */
export const firstMissing = (known: ReadonlyMap<number, unknown>, from: number, to: number) => {
  for (let seq = from; seq <= to; seq += 1) if (!known.has(seq)) return seq;
  return undefined;
};
