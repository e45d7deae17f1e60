/** Proves that folding hides nothing it does not stand for, and loses no place. */
import type { AguiEvent, SeenBy } from '@triptych/protocol';
import { verifies } from '../../../../../test/spec/verifies.js';
import { EVERYTHING } from './filter.js';
import { foldRows, foldSummary, spanOf } from './fold-rows.js';
import { emptyBook, withStored } from './log-book.js';
import { layRows, type FoldRow, type Row } from './rows.js';

const FULL: SeenBy = { customer: 'full', reviewer: 'full' };
const rowsOf = (...events: readonly AguiEvent[]): readonly Row[] => {
  const stored = events.map((event, index) => ({
    ...{ kind: 'stored' as const, seq: index + 1, at: index * 10, source: 'agent' as const },
    ...{ event, seen: FULL },
  }));
  return layRows(withStored(emptyBook('e'), stored), EVERYTHING).rows;
};
const word = (messageId: string, delta: string): AguiEvent => ({
  type: 'TEXT_MESSAGE_CONTENT',
  messageId,
  delta,
});
const begun: AguiEvent = { type: 'TEXT_MESSAGE_START', messageId: 'a' };
const shut = () => false;
const keys = (rows: readonly Row[]) => rows.map(({ key }) => key);

describe('folded rows', () => {
  verifies('WEB-117', 'pieces of one message that follow each other are one row, told together', () => {
    const rows = foldRows(rowsOf(begun, word('a', 'One '), word('a', 'two\n'), word('a', 'three')), shut);
    expect(keys(rows)).toEqual(['e1', 'f2']);
    const fold = rows[1] as FoldRow;
    expect(fold).toMatchObject({ isOpen: false, after: 10 });
    expect(spanOf(fold)).toEqual({ from: 2, to: 4 });
    expect(foldSummary(fold)).toEqual({ type: 'TEXT_MESSAGE_CONTENT', text: 'One two three', seen: FULL });
  });

  verifies('WEB-117', 'another message, another event and a few pieces keep rows of their own', () => {
    const [a, b] = [word('a', 'x'), word('b', 'y')];
    expect(keys(foldRows(rowsOf(a, a, b, b, a), shut))).toEqual(['e1', 'e2', 'e3', 'e4', 'e5']);
    expect(keys(foldRows(rowsOf(a, a, a, b, b, b), shut))).toEqual(['f1', 'f4']);
    expect(keys(foldRows(rowsOf(a, a, begun, a), shut))).toEqual(['e1', 'e2', 'e3', 'e4']);
  });

  verifies('WEB-117', 'open, all of its pieces follow it', () => {
    const rows = rowsOf(begun, word('a', 'x'), word('a', 'y'), word('a', 'z'), begun);
    const open = foldRows(rows, ({ key }) => key === 'f2');
    expect(keys(open)).toEqual(['e1', 'f2', 'e2', 'e3', 'e4', 'e5']);
    expect(open.filter(({ kind }) => kind === 'event')).toEqual(rows);
  });

  verifies('WEB-117', 'what not all of its pieces are shown to is marked as shown in part', () => {
    const [first, second, third] = rowsOf(word('a', 'x'), word('a', 'y'), word('a', 'z')).map((row) =>
      row.kind === 'event' && row.entry.kind === 'stored' ? row.entry : undefined,
    );
    const hidden = { ...second!, seen: { customer: 'hidden', reviewer: 'full' } as const };
    const seen = foldSummary({ entries: [first!, hidden, third!] }).seen;
    expect(seen).toEqual({ customer: 'redacted', reviewer: 'full' });
  });
});
