/** Proves that values are shown readable and whole, and that an edit changes nothing it does not show. */
import fc from 'fast-check';
import { verifies } from '../../../../../test/spec/verifies.js';
import { hiddenRows } from './current.js';
import { editSchema, withoutRedacted, withRedacted } from './edit-schema.js';
import { fieldDiff, splitChange } from './field-diff.js';
import { valueRows, visiblePieces, type ValueRow } from './values.js';

const schema = { type: 'object', properties: { amount: { type: 'number', title: 'First payment' } } };
const args = {
  amount: 2_000_000,
  currency: 'EUR',
  fundingIban: 'DE21',
  taxId: '[redacted]',
  note: null,
  fast: true,
};
const say = (row: ValueRow): string => JSON.stringify(row.value);

describe('values', () => {
  verifies('WEB-9', 'arguments are rows with readable names, money with its currency', () => {
    expect(valueRows(args, schema)).toEqual([
      { key: 'amount', label: 'First payment', value: { kind: 'money', value: 2_000_000, currency: 'EUR' } },
      { key: 'fundingIban', label: 'Funding iban', value: { kind: 'text', text: 'DE21' } },
      { key: 'taxId', label: 'Tax id', value: { kind: 'redacted' } },
      { key: 'note', label: 'Note', value: { kind: 'nothing' } },
      { key: 'fast', label: 'Fast', value: { kind: 'yesno', value: true } },
    ]);
    expect(valueRows('not an object', undefined)).toBeUndefined();
  });

  verifies('WEB-111', 'a value is said by its title, which never stands in for another word', () => {
    const mandate = {
      oneOf: [
        { const: 'balanced', title: 'Balanced' },
        { const: 'bold', title: 'Safe' },
      ],
    };
    const said = (value: unknown) => valueRows({ mandate: value }, { properties: { mandate } })?.[0]?.value;
    expect(said('balanced')).toEqual({ kind: 'text', text: 'Balanced' });
    expect(said('bold')).toEqual({ kind: 'text', text: 'Safe (bold)' });
    expect(said('other')).toEqual({ kind: 'text', text: 'other' });
  });

  verifies('WEB-111', 'a currency has a row of its own only where no money says it', () => {
    const keys = (value: object) => valueRows(value, undefined)?.map(({ key }) => key);
    expect(keys({ currency: 'EUR', amount: 1 })).toEqual(['amount']);
    expect(keys({ currency: 'EUR', amount: '1' })).toEqual(['currency', 'amount']);
    expect(keys({ currency: 'EUR', trip: { amount: 1 } })).toEqual(['currency', 'trip.amount']);
    expect(keys({ refund: { currency: 'EUR', amount: 1 } })).toEqual(['refund.amount']);
  });

  verifies('WEB-9', 'values within values keep the way to them', () => {
    const rows = valueRows({ trip: { legs: [{ to: 'Lisbon' }], tags: ['a', 'b'] } }, undefined);
    expect(rows?.map(({ key, value }) => [key, value])).toEqual([
      ['trip.legs.1.to', { kind: 'text', text: 'Lisbon' }],
      ['trip.tags', { kind: 'text', text: 'a, b' }],
    ]);
  });

  verifies('WEB-9', 'every invisible character becomes a mark, and nothing else changes', () => {
    expect(visiblePieces('pay\u202e001')).toEqual([{ text: 'pay' }, { mark: 'U+202E' }, { text: '001' }]);
    expect(visiblePieces('a\u200bb')).toContainEqual({ mark: 'U+200B' });
    expect(visiblePieces('漢字 é 👍🏽\nok')).toEqual([{ text: '漢字 é 👍🏽\nok' }]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const back = visiblePieces(text)
          .map((piece) =>
            'mark' in piece ? String.fromCodePoint(Number.parseInt(piece.mark.slice(2), 16)) : piece.text,
          )
          .join('');
        expect(back).toBe(text);
      }),
    );
  });
});

describe('an edit', () => {
  verifies('WEB-19', 'shows each changed field and counts the rest', () => {
    const before = valueRows(args, schema) ?? [];
    const after = valueRows({ ...args, amount: 1_500_000 }, schema) ?? [];
    const diff = fieldDiff(before, after, say);
    expect(diff.changed.map(({ key }) => key)).toEqual(['amount']);
    expect(diff.same).toBe(4);
    expect(fieldDiff(before, before, say).changed).toEqual([]);
  });

  verifies('WEB-19', 'marks the figures and words that differ, whole', () => {
    expect(splitChange('€2,000,000', '€1,500,000')).toEqual({
      head: '€',
      before: '2,000,000',
      after: '1,500,000',
      tail: '',
    });
    expect(splitChange('to Lisbon by train', 'to Lissabon by train')).toEqual({
      head: 'to ',
      before: 'Lisbon',
      after: 'Lissabon',
      tail: ' by train',
    });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        const { head, before, after, tail } = splitChange(a, b);
        expect(head + before + tail).toBe(a);
        expect(head + after + tail).toBe(b);
      }),
    );
  });

  verifies('WEB-112', 'names what is hidden', () => {
    const hidden = hiddenRows({ responseSchema: { properties: { editedArgs: schema } } }, args);
    expect(hidden.map(({ key, label }) => [key, label])).toEqual([['taxId', 'Tax id']]);
    expect(hiddenRows({}, 'not an object')).toEqual([]);
  });

  verifies('WEB-19', 'hidden values are not asked for and come back untouched', () => {
    const form = withoutRedacted(args);
    expect(form).not.toHaveProperty('taxId');
    expect(withRedacted({ ...(form as object), amount: 5 }, args)).toEqual({ ...args, amount: 5 });
    const full = {
      properties: {
        editedArgs: {
          ...schema,
          required: ['amount', 'taxId'],
          properties: { ...schema.properties, taxId: { type: 'string' } },
        },
      },
    };
    const edit = editSchema({ responseSchema: full }, args);
    expect(edit.properties).not.toHaveProperty('taxId');
    expect(edit.required).toEqual(['amount']);
    expect(editSchema({}, { amount: 1, deep: { on: true } })).toMatchObject({
      properties: { amount: { type: 'number' }, deep: { properties: { on: { type: 'boolean' } } } },
    });
  });
});
