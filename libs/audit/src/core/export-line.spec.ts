/** Proves that a table of records holds no formula and keeps its cells apart. */
import fc from 'fast-check';
import { verifies } from '../../../../test/spec/verifies.js';
import { chainOf, noteOf } from '../../test/notary.js';
import { csvHead, csvRow } from './export-line.js';
import { openRecord, sealedIn } from './opened-record.js';

/** As a spreadsheet reads a row. */
const cellsOf = (row: string): string[] =>
  [...row.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))/gu)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  );

describe('a row of the table', () => {
  verifies('AUD-23', 'has a cell a column, none of which is a formula', () =>
    fc.assert(
      fc.property(
        fc.constantFrom('=', '+', '-', '@', '\t', '\r', '"', ',', ''),
        fc.string(),
        (first, text) => {
          const hostile = `${first}${text}` || 'x';
          const note = noteOf(0, { actor: { id: hostile, via: 'web' }, requestId: hostile });
          const [record] = chainOf([note]);
          const cells = cellsOf(csvRow(record!, openRecord(sealedIn(record!.text)!, new Map())));
          expect(cells).toHaveLength(csvHead.split(',').length);
          const shown = /^[=+\-@\t\r\n]/u.test(hostile) ? `'${hostile}` : hostile;
          expect(cells.filter((cell) => cell === shown)).toHaveLength(2);
          for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@\t\r\n]/u);
        },
      ),
    ),
  );
});
