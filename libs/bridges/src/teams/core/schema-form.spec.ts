/** Inputs of a card from a schema, and the answer from what was put in. */
import { verifies } from '../../../../../test/spec/verifies.js';
import { fieldsOf, inputOf, payloadFrom } from './schema-form.js';

const SCHEMA = {
  type: 'object',
  required: ['name', 'agreed', 'risk'],
  properties: {
    name: { type: 'string', title: 'Name', maxLength: 40, pattern: '^[A-Z]' },
    about: { type: 'string' },
    amount: { type: 'number', minimum: 1, maximum: 10 },
    age: { type: 'integer' },
    agreed: { type: 'boolean' },
    news: { type: 'boolean', default: false },
    born: { type: 'string', format: 'date' },
    risk: { enum: ['low, really', 'high'] },
    kinds: { type: 'array', items: { enum: ['a,b', 'c', 3] } },
  },
};
const fields = fieldsOf(SCHEMA) ?? [];

describe('forms on cards of Teams', () => {
  verifies('BRG-67', 'each kind of value has its input', () => {
    expect(fields.map(inputOf)).toMatchObject([
      { id: 'i0', type: 'Input.Text', label: 'Name', maxLength: 40, regex: '^[A-Z]', isRequired: true },
      { id: 'i1', type: 'Input.Text', label: 'about', isMultiline: true },
      { id: 'i2', type: 'Input.Number', min: 1, max: 10 },
      { id: 'i3', type: 'Input.Number' },
      { id: 'i4', type: 'Input.ChoiceSet', style: 'expanded', choices: [{ title: 'Yes' }, { title: 'No' }] },
      { id: 'i5', type: 'Input.Toggle', value: 'false' },
      { id: 'i6', type: 'Input.Date' },
      { id: 'i7', type: 'Input.ChoiceSet', choices: [{ title: 'low, really', value: '0' }, { value: '1' }] },
      { id: 'i8', type: 'Input.ChoiceSet', isMultiSelect: true },
    ]);
  });

  verifies('BRG-67', 'what was put in becomes the answer that the schema means', () => {
    const data = { i0: 'Ann', i2: '2.5', i3: 7, i4: '1', i5: 'true', i6: '2026-01-02', i7: '0', i8: '0,2' };
    expect(payloadFrom(fields, data)).toEqual({
      ok: true,
      value: {
        ...{ name: 'Ann', amount: 2.5, age: 7, agreed: false, news: true },
        ...{ born: '2026-01-02', risk: 'low, really', kinds: ['a,b', 3] },
      },
    });
  });

  verifies('BRG-67', 'what is missing, or was not offered, is no answer', () => {
    const good = { i0: 'Ann', i4: '0', i7: '0' };
    expect(payloadFrom(fields, good).ok).toBe(true);
    const bad = [
      { i0: '' },
      { i4: undefined },
      { i4: '2' },
      { i7: '-1' },
      { i8: '0,9' },
      { i2: 'many' },
      { i5: 'maybe' },
    ];
    for (const over of bad)
      expect(payloadFrom(fields, { ...good, ...over })).toMatchObject({
        refusal: { code: 'RESUME_PAYLOAD_INVALID' },
      });
  });

  verifies(
    'BRG-67',
    'one value alone is asked for as well; what has no input is asked in the console',
    () => {
      const one = fieldsOf({ type: 'integer', title: 'How many?' }) ?? [];
      expect(one.map(inputOf)).toMatchObject([{ type: 'Input.Number', label: 'How many?' }]);
      expect(payloadFrom(one, { i0: '3' })).toEqual({ ok: true, value: 3 });
      const many = Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`p${n}`, { type: 'string' }]));
      const odd = [
        { type: 'object' },
        {},
        { type: 'array' },
        { oneOf: [] },
        { type: 'string', format: 'byte' },
      ];
      for (const schema of odd)
        expect(fieldsOf({ type: 'object', properties: { a: schema } })).toBeUndefined();
      expect(fieldsOf({ type: 'object', properties: many })).toBeUndefined();
      expect(fieldsOf(undefined)).toBeUndefined();
    },
  );
});
