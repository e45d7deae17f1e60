import jsonpatch from 'fast-json-patch';
import fc from 'fast-check';
import { applyPatch, type AguiEvent, type JsonPatch } from '@triptych/protocol';
import { verifies } from '../../../../../test/spec/verifies.js';
import { compilePolicy } from '../compile-policy.js';
import type { Policy } from '../policy.js';
import { cutTo } from '../shape.js';
import { beginView, viewStep } from './view-step.js';
import type { View } from './view.js';

/** What of a state the policy lets customers see. */
const cut = ({ surfaces }: Policy, state: unknown): unknown => cutTo(surfaces.customer.state, state);

const SECRET = 's3cret';
const policyOf = (customer: object): Policy => {
  const read = compilePolicy({ surfaces: { customer } });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
};
const RULES = [
  { state: ['/order/status', '/items/*/name', '/public', '/a~1b/x'] },
  { state: ['/order', '/items'], redact: ['/order/card', '/items/*/secret', '/public'] },
  { state: [''], redact: ['/private', '/order/card'] },
  { state: ['/items/0', '/order/card/x', '/'] },
  { state: [''] },
  {},
].map(policyOf);

const isPartly = (policy: Policy): boolean => !policy.surfaces.customer.state.whole;

const PATHS = [
  '',
  '/order',
  '/order/status',
  '/order/card',
  '/order/card/x',
  '/items',
  '/items/0',
  '/items/1',
  '/items/-',
  '/items/0/name',
  '/items/0/secret',
  '/public',
  '/public/k',
  '/private',
  '/private/k',
  '/a~1b',
  '/a~1b/x',
  '/',
  '/__proto__/x',
  '/constructor',
  '/toString',
];
const value = fc.oneof(
  fc.constantFrom<unknown>(1, 2, 'text', null, true, [], {}),
  fc.constant({ name: 'n', secret: SECRET }),
  fc.constant([{ name: 'q', secret: SECRET }, { secret: SECRET }, 3]),
  fc.constant({ status: 'new', card: { x: 1, y: SECRET }, items: [{ name: 'z' }] }),
);
const path = fc.constantFrom(...PATHS);
const operation = fc.oneof(
  { weight: 3, arbitrary: fc.record({ op: fc.constantFrom('add', 'replace'), path, value }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('remove'), path }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constantFrom('move', 'copy'), path, from: path }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('test'), path, value }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('future'), path }) },
);
const change = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(operation, { maxLength: 4 })
      .map((delta): AguiEvent => ({ type: 'STATE_DELTA', delta })),
  },
  { weight: 1, arbitrary: value.map((snapshot): AguiEvent => ({ type: 'STATE_SNAPSHOT', snapshot })) },
);
const START = {
  order: { status: 'new', card: '4111' },
  items: [
    { name: 'a', secret: SECRET },
    { name: 'b', secret: SECRET },
  ],
  public: { k: 1 },
  private: { k: SECRET },
  'a/b': { x: 1, y: SECRET },
};
const history = fc
  .array(change, { maxLength: 12 })
  .map((changes) => [{ type: 'STATE_SNAPSHOT', snapshot: START }, ...changes]);

const entry = (event: AguiEvent, seq: number) => ({ seq, at: 0, source: 'agent' as const, event });
const shownOf = (policy: Policy, events: readonly AguiEvent[]): AguiEvent[][] => {
  let view: View = beginView(policy, 'customer', { agentId: 'a', tenant: 't' });
  return events.map((event, index) => {
    const step = viewStep(view, entry(event, index + 1));
    view = step.view;
    return [...step.shown];
  });
};
/** What came over a wire shares nothing with anything. */
const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
/** As AG-UI readers do it, which first leave out operations they do not know; it throws when a patch does not apply. */
const foldStock = (state: unknown, event: AguiEvent): unknown => {
  if (event.type === 'STATE_SNAPSHOT') return wire(event['snapshot']);
  const known = (event['delta'] as { op: string }[]).filter(({ op }) => op !== 'future');
  return jsonpatch.applyPatch(state, wire(known) as never, true, false).newDocument;
};
const foldFull = (state: unknown, event: AguiEvent): unknown => {
  if (event.type === 'STATE_SNAPSHOT') return event['snapshot'];
  const patched = applyPatch(state, event['delta'] as JsonPatch);
  return patched.ok ? patched.value : state;
};
const RUNS = { numRuns: 1500 };

describe('the state a surface sees', () => {
  verifies('ACC-17', 'is always the projection of the full state, whatever patches come', () => {
    fc.assert(
      fc.property(fc.constantFrom(...RULES.slice(0, -1)), history, (policy, events) => {
        let [full, seen]: [unknown, unknown] = [{}, {}];
        shownOf(policy, events).forEach((shown, index) => {
          full = foldFull(full, events[index]!);
          for (const event of shown) seen = foldStock(seen, event);
          expect(seen).toEqual(cut(policy, full));
        });
      }),
      RUNS,
    );
  });

  verifies('ACC-17', 'is left alone by what changes nothing of it: no empty delta, no test', () => {
    fc.assert(
      fc.property(fc.constantFrom(...RULES.slice(0, -2)), history, (policy, events) => {
        for (const event of shownOf(policy, events).flat()) {
          if (event.type !== 'STATE_DELTA') continue;
          const delta = event['delta'] as { op: string }[];
          expect(delta.length).toBeGreaterThan(0);
          expect(delta.map(({ op }) => op)).not.toContain('test');
        }
      }),
      RUNS,
    );
  });

  verifies('ACC-74', 'threat 15: is told by no snapshot that something hidden was written', () => {
    fc.assert(
      fc.property(fc.constantFrom(...RULES.filter(isPartly)), history, (policy, events) => {
        let seen: unknown = {};
        for (const event of shownOf(policy, events).flat()) {
          const before = seen;
          seen = foldStock(seen, event);
          if (event.type === 'STATE_SNAPSHOT') expect(seen).not.toEqual(before);
        }
      }),
      RUNS,
    );
    const told = (...snapshots: readonly object[]) =>
      shownOf(
        policyOf({ state: ['/shown'] }),
        snapshots.map((snapshot) => ({ type: 'STATE_SNAPSHOT', snapshot })),
      ).map(({ length }) => length);
    expect(told({ inner: 1 }, { shown: 1 }, { shown: 1, inner: 2 }, { inner: 2 }, {})).toEqual([
      0, 1, 0, 1, 0,
    ]);
  });

  verifies('ACC-74', 'is told by every snapshot where all of it is shown', () => {
    const snapshot = { type: 'STATE_SNAPSHOT', snapshot: START };
    expect(shownOf(policyOf({ state: [''] }), [snapshot, snapshot]).flat()).toEqual([snapshot, snapshot]);
  });

  it('does not exist for a surface that may see nothing of it', () => {
    expect(shownOf(RULES.at(-1)!, [{ type: 'STATE_SNAPSHOT', snapshot: START }]).flat()).toEqual([]);
  });

  verifies('ACC-19', 'keeps the place of hidden elements and the fixed text of redacted values', () => {
    const policy = policyOf({ state: ['/list/*/name', '/card', '/none'], redact: ['/card/number'] });
    const state = {
      list: [{ name: 'a', k: 1 }, { k: 2 }, 'x'],
      card: { number: 4111, holder: 'h' },
      rest: 1,
    };
    expect(cut(policy, state)).toEqual({
      list: [{ name: 'a' }, {}, {}],
      card: { number: '[redacted]', holder: 'h' },
    });
  });

  it('costs no copy of what is shown whole', () => {
    const policy = policyOf({ state: ['/big'] });
    const big = { deep: { deeper: [1, 2, 3] } };
    expect((cut(policy, { big }) as { big: unknown }).big).toBe(big);
  });

  it.each([
    [{ state: ['/a'] }, 'full', [{ op: 'add', path: '/a/x', value: 1 }]],
    [
      { state: ['/a'] },
      'redacted',
      [
        { op: 'add', path: '/a/x', value: 1 },
        { op: 'add', path: '/b', value: 1 },
      ],
    ],
    [{ state: ['/a'] }, 'hidden', [{ op: 'add', path: '/b', value: 1 }]],
    [{ state: ['/a'] }, 'hidden', [{ op: 'remove', path: '/none' }]],
    [{ state: [''], redact: ['/a/x'] }, 'redacted', [{ op: 'add', path: '/a', value: { x: 1, y: 2 } }]],
    [{ state: [''] }, 'hidden', [{ op: 'test', path: '/a', value: {} }]],
    [{ state: [''] }, 'full', [{ op: 'add', path: '/a/x', value: 1 }]],
  ])('says how much of a change was seen (%#)', (rules, seen, delta) => {
    const begun = beginView(policyOf(rules), 'customer', { agentId: 'a', tenant: 't' });
    const { view } = viewStep(begun, entry({ type: 'STATE_SNAPSHOT', snapshot: { a: {} } }, 1));
    expect(viewStep(view, entry({ type: 'STATE_DELTA', delta }, 2)).seen).toBe(seen);
  });

  const deltaOf = (rules: object, snapshot: unknown, delta: readonly object[]): unknown => {
    const events = [
      { type: 'STATE_SNAPSHOT', snapshot },
      { type: 'STATE_DELTA', delta },
    ];
    return shownOf(policyOf(rules), events)[1]?.[0]?.['delta'];
  };
  const REDACTING = { state: ['/rows', '/far/*/name'], redact: ['/rows/*/secret'] };
  const rows = (...ids: number[]) => ids.map((id) => ({ id, secret: `${SECRET}-${id}`, name: `n${id}` }));

  verifies('ACC-61', 'tells a shift of a cut list as what came and went', () => {
    const state = { rows: rows(1, 2, 3, 4), far: rows(5, 6, 7) };
    expect(deltaOf(REDACTING, state, [{ op: 'remove', path: '/rows/0' }])).toEqual([
      { op: 'remove', path: '/rows/0' },
    ]);
    expect(deltaOf(REDACTING, state, [{ op: 'add', path: '/far/0', value: rows(8)[0] }])).toEqual([
      { op: 'add', path: '/far/0', value: { name: 'n8' } },
    ]);
    expect(deltaOf(REDACTING, state, [{ op: 'move', from: '/rows/0', path: '/rows/2' }])).toEqual([
      { op: 'remove', path: '/rows/0' },
      { op: 'add', path: '/rows/2', value: { id: 1, secret: '[redacted]', name: 'n1' } },
    ]);
  });

  verifies('ACC-61', 'cuts anew only what changed, wherever in a list the rest stands now', () => {
    const { state: shape } = policyOf(REDACTING).surfaces.customer;
    const full = { rows: rows(1, 2, 3), far: rows(5) };
    const shown = cutTo(shape, full) as { rows: unknown[]; far: unknown };
    const next = { ...full, rows: [full.rows[2], { ...full.rows[1] }, full.rows[0]] };
    const after = cutTo(shape, next, { full, shown }) as { rows: unknown[]; far: unknown };
    expect(after.far).toBe(shown.far);
    expect(after.rows[0]).toBe(shown.rows[2]);
    expect(after.rows[2]).toBe(shown.rows[0]);
    expect(after.rows[1]).not.toBe(shown.rows[1]);
    expect(after).toEqual(cutTo(shape, next));
  });

  verifies('ACC-61', 'takes what a list left in a place for nothing that an object shows', () => {
    const { state: shape } = policyOf({ state: ['/a/0/x'] }).surfaces.customer;
    const full = { a: [false] };
    const next = { a: { '0': false } };
    expect(cutTo(shape, full)).toEqual({ a: [{}] });
    expect(cutTo(shape, next, { full, shown: cutTo(shape, full) })).toEqual({});
  });

  verifies('ACC-61', 'takes no element for another where the policy names one of them', () => {
    const { state: shape } = policyOf({ state: ['/rows/0', '/rows/*/name'] }).surfaces.customer;
    const full = { rows: rows(1, 2) };
    const shown = cutTo(shape, full);
    const next = { rows: full.rows.toReversed() };
    expect(cutTo(shape, next, { full, shown })).toEqual({ rows: [rows(2)[0], { name: 'n1' }] });
  });

  verifies(
    'ACC-62',
    'gets the very steps of an agent that lie in what is shown whole, less what they carry besides',
    () => {
      const far = { state: ['/far', '/rows/*/name'] };
      const state = { rows: rows(1), far: { list: rows(5, 6), big: 'x' } };
      const told = [
        { op: 'move', from: '/far/big', path: '/far/list/-' },
        { op: 'copy', from: '/far/list/0', path: '/far/again' },
        { op: 'remove', path: '/far/list/1' },
      ];
      expect(deltaOf(far, state, told)).toBe(told);
      for (const rules of [far, { state: [''] }])
        expect(
          deltaOf(rules, state, [
            { op: 'test', path: '/far/big', value: 'x' },
            { op: 'remove', path: '/far/big', value: SECRET, why: SECRET },
            { op: 'future', path: '/far/x', value: SECRET },
          ]),
        ).toEqual([{ op: 'remove', path: '/far/big' }]);
    },
  );

  verifies('ACC-62', 'gets the difference where a step makes or takes what is shown', () => {
    expect(deltaOf({ state: ['/a/b'] }, { a: {} }, [{ op: 'add', path: '/a/b', value: 1 }])).toEqual([
      { op: 'add', path: '/a', value: { b: 1 } },
    ]);
    expect(deltaOf({ state: ['/a/b'] }, { a: { b: 1, c: 2 } }, [{ op: 'remove', path: '/a/b' }])).toEqual([
      { op: 'remove', path: '/a' },
    ]);
    expect(
      deltaOf({ state: ['/a', '/b/x'] }, { a: {}, b: { x: 1, y: SECRET } }, [
        { op: 'copy', from: '/b', path: '/a/b' },
      ]),
    ).toEqual([{ op: 'add', path: '/a/b', value: { x: 1, y: SECRET } }]);
  });
});
