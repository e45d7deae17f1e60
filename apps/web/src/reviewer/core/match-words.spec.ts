/** Proves that why a task is asked is told in the words of its proposal. */
import { verifies } from '../../../../../test/spec/verifies.js';
import { formatsFor } from '../../shared/formats.js';
import { matchWords } from './match-words.js';

const properties = { amount: { type: 'number', title: 'First payment' } };
const task = {
  proposal: { args: { amount: 2_000_000, currency: 'EUR', trip: { nights: 9 } } },
  responseSchema: { properties: { editedArgs: { type: 'object', properties } } },
};
const match = { pointer: '/amount', op: 'gte', want: 1_500_000, got: 2_000_000 };
const wordsOf = (of: Partial<typeof match>, edited: object = {}) =>
  Object.values(matchWords({ ...match, ...of }, { ...task, ...edited }, formatsFor('en'))).join(': ');

describe('why a task is asked', () => {
  verifies('WEB-113', 'names what was weighed as the proposal does, money with its currency', () => {
    expect(wordsOf({})).toBe('First payment: €2,000,000 ≥ €1,500,000');
    expect(wordsOf({ pointer: '/trip/nights', got: 9, want: 7 })).toBe('Trip › Nights: 9 ≥ 7');
    expect(wordsOf({ pointer: '/unknown/way', got: 9, want: 7 })).toBe('unknown › way: 9 ≥ 7');
  });

  verifies('WEB-113', 'only the money that was weighed lends its currency', () => {
    const args = { amount: 1_900_000, currency: 'USD' };
    const edited = { edit: { by: 'tove', at: 1, args } };
    expect(wordsOf({}, edited)).toBe('First payment: €2,000,000 ≥ €1,500,000');
    expect(wordsOf({ got: 1_900_000 }, edited)).toBe('First payment: $1,900,000 ≥ $1,500,000');
    expect(wordsOf({ got: 7 }, edited)).toBe('First payment: 7 ≥ 1,500,000');
  });
});
