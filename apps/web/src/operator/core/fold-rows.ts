/** Folds the pieces of one message or call, where they follow each other, into one row. */
import type { SeenBy } from '@triptych/protocol';
import { typeOf } from './families.js';
import type { Stored } from './log-book.js';
import type { EventRow, FoldRow, Row } from './rows.js';
import { seenTogether } from './saw-rows.js';

/** By which field pieces belong together. */
const PIECES: Readonly<Record<string, string>> = {
  TEXT_MESSAGE_CONTENT: 'messageId',
  REASONING_MESSAGE_CONTENT: 'messageId',
  TOOL_CALL_ARGS: 'toolCallId',
};
/** Two rows in one save nothing that is worth a press. */
const FEWEST = 3;
/** A row shows no more. */
const MAX_LENGTH = 240;

const isPiece = (row: Row): row is EventRow & { readonly entry: Stored } =>
  row.kind === 'event' && row.entry.kind === 'stored' && Object.hasOwn(PIECES, row.entry.event.type);

const wholeOf = ({ event }: Stored): string => `${event.type} ${String(event[PIECES[event.type] ?? ''])}`;

type IsOpen = (fold: FoldRow) => boolean;
type Piece = EventRow & { readonly entry: Stored };

const folded = (pieces: readonly Piece[], isOpen: IsOpen): readonly Row[] => {
  const [first] = pieces;
  if (first === undefined || pieces.length < FEWEST) return pieces;
  const after = first.after === undefined ? {} : { after: first.after };
  const entries = pieces.map(({ entry }) => entry);
  const fold: FoldRow = { kind: 'fold', key: `f${first.entry.seq}`, entries, ...after, isOpen: false };
  return isOpen(fold) ? [{ ...fold, isOpen: true }, ...pieces] : [fold];
};

export const foldRows = (rows: readonly Row[], isOpen: IsOpen): readonly Row[] => {
  const laid: Row[] = [];
  let pieces: Piece[] = [];
  const settle = () => {
    laid.push(...folded(pieces, isOpen));
    pieces = [];
  };
  for (const row of rows) {
    const last = pieces.at(-1);
    if (!isPiece(row) || (last && wholeOf(last.entry) !== wholeOf(row.entry))) settle();
    if (isPiece(row)) pieces.push(row);
    else laid.push(row);
  }
  settle();
  return laid;
};

export const spanOf = ({
  entries,
}: Pick<FoldRow, 'entries'>): { readonly from: number; readonly to: number } => ({
  from: entries[0]?.seq ?? 0,
  to: entries.at(-1)?.seq ?? 0,
});

export interface FoldSummary {
  readonly type: string;
  readonly text: string;
  readonly seen: SeenBy | undefined;
}

/** What its pieces say together. */
export const foldSummary = ({ entries }: Pick<FoldRow, 'entries'>): FoldSummary => {
  const [first] = entries;
  let text = '';
  for (const { event } of entries) {
    if (text.length > MAX_LENGTH) break;
    text += typeof event.delta === 'string' ? event.delta : '';
  }
  return {
    type: first ? typeOf(first) : '',
    text: text.replace(/\s+/gu, ' ').trim().slice(0, MAX_LENGTH),
    seen: entries.map(({ seen }) => seen).reduce((a, b) => a && b && seenTogether(a, b)),
  };
};
