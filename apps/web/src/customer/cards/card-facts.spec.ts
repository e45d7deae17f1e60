/** Proves that a card is drawn only from facts that fit. */
import { verifies } from '../../../../../test/spec/verifies.js';
import { readCard } from '../core/cards.js';
import { readFacts } from './card-facts.js';
import { growthCurves } from './growth-curves.js';

const card = (component: string, props: unknown) => ({ id: 'c', component, props });
const growth = {
  years: 2,
  currency: 'EUR',
  weak: [100, 101, 102],
  expected: [100, 105, 110],
  strong: [100, 110, 121],
};
const parts = [
  { label: 'Shares', percent: 45 },
  { label: 'Bonds', percent: 55 },
];

describe('cards', () => {
  verifies('WEB-3', 'a kind this version does not know is a fallback, whatever it is called', () => {
    for (const name of ['weather-outlook', 'toString', '__proto__', 'constructor']) {
      expect(readFacts(card(name, {}))).toEqual({ kind: 'unknown' });
    }
  });

  verifies('WEB-3', 'facts that do not fit leave the card out', () => {
    const bad: readonly [string, unknown][] = [
      ['allocation', { parts: [{ label: 'Shares', percent: 45 }] }],
      ['allocation', { parts: [...parts, { label: 'Cash', percent: -0.1 }] }],
      ['allocation', { parts: 'all' }],
      ['growth', { ...growth, strong: [1, 2, 3] }],
      ['growth', { ...growth, weak: [100, 101] }],
      ['growth', { ...growth, years: 0 }],
      ['growth', { ...growth, expected: [100, null, 110] }],
      ['identity-result', { status: 'verified' }],
      ['account-opened', { accountId: '[redacted]' }],
      ['account-opened', null],
    ];
    for (const [component, props] of bad)
      expect(readFacts(card(component, props))).toEqual({ kind: 'invalid' });
  });

  verifies('WEB-3', 'facts that fit are read, and unknown ones beside them do not matter', () => {
    expect(
      readFacts(card('allocation', { parts, amount: 2_000_000, currency: 'EUR', more: 1 })),
    ).toMatchObject({
      kind: 'allocation',
      facts: { parts, amount: 2_000_000 },
    });
    const read = readFacts(card('growth', growth));
    expect(read).toMatchObject({ kind: 'growth', facts: growth });
    if (read.kind === 'growth') expect(growthCurves(read.facts).band).toMatch(/^M[\d. L]+Z$/);
    expect(readFacts(card('identity-result', { name: 'A', status: 'failed' }))).toMatchObject({
      facts: { confirmed: false },
    });
  });

  verifies('WEB-3', 'what is no card is nothing', () => {
    for (const value of [null, 7, 'card', [], { id: 'x' }, { component: 'growth' }])
      expect(readCard(value)).toBeUndefined();
    expect(readCard({ id: 'x', component: 'growth', props: {}, text: 7, more: true })).toEqual({
      id: 'x',
      component: 'growth',
      props: {},
    });
  });
});
