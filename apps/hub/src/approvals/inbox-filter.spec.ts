import { readInboxFilter } from './inbox-filter.js';

describe('a filter of the inbox', () => {
  it.each([
    [undefined, {}],
    [{ state: 'pending,claimed' }, { states: ['pending', 'claimed'] }],
    [{ states: ['decided'] }, { states: ['decided'] }],
    [{ sort: 'due' }, { sort: 'due' }],
    [
      { group: 'advisors', q: 'amelia' },
      { group: 'advisors', q: 'amelia' },
    ],
  ])('%j', (raw, filter) => {
    expect(readInboxFilter(raw)).toEqual({ ok: true, value: filter });
  });

  it.each([
    [[]],
    ['text'],
    [{ state: 'no-such' }],
    [{ state: 7 }],
    [{ group: 7 }],
    [{ q: 'x'.repeat(300) }],
    [{ sort: 'no-such' }],
  ])('refuses %j', (raw) => {
    expect(readInboxFilter(raw)).toMatchObject({ ok: false, refusal: { code: 'INVALID_INPUT' } });
  });
});
