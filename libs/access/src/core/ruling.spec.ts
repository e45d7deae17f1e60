import type { Surface } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { compilePolicy } from './compile-policy.js';
import { readArguments } from './exact-json.js';
import type { Policy } from './policy.js';
import { projectArgs, projectMatches } from './projections.js';
import { limitsKept, rulingFor } from './ruling.js';
import type { Question } from './ruling.js';

const policyOf = (rules: object[], surfaces: object = {}): Policy => {
  const read = compilePolicy({ surfaces, approvals: { rules } });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
};
const QUESTION: Question = {
  agentId: 'bank',
  source: 'interrupt',
  reason: 'tool_call',
  toolName: 'pay',
  args: { amount: 200, currency: 'CHF', to: { name: 'Ada' } },
  tenant: 'default',
  at: Date.UTC(2026, 0, 15, 12),
};
const ruled = (match: object, more: Partial<Question> = {}) => {
  const { rule, approvable } = rulingFor(
    policyOf([
      { id: 'first', match },
      { id: 'lax', match: {} },
    ]),
    { ...QUESTION, ...more },
  );
  return `${rule}${approvable ? '' : ' (operators)'}`;
};
const testing = (test: object, value: unknown) =>
  ruled({ args: { '/x': test } }, { args: value === undefined ? {} : { x: value } });

describe('the rule for a question', () => {
  verifies('ACC-10', 'is the first whose every test holds', () => {
    expect(ruled({})).toBe('first');
    expect(
      ruled({
        reason: 'tool_call',
        tool: 'pay',
        agent: 'bank',
        tenant: 'default',
        args: { '/amount': { gte: 200 } },
      }),
    ).toBe('first');
    for (const miss of [
      { reason: 'input_*' },
      { tool: 'p?' },
      { agent: 'shop' },
      { tenant: 'x*' },
      { source: 'frontend_tool' },
      { args: { '/amount': { gt: 200 } } },
    ])
      expect(ruled(miss)).toBe('lax');
    expect(ruled({ reason: 'tool_*', tool: 'p*y', agent: '*' })).toBe('first');
    expect(ruled({ source: 'frontend_tool' }, { source: 'frontend_tool' })).toBe('first');
  });

  verifies('ACC-26', 'is for operators where the response schema could harm its judge', () => {
    const policy = policyOf([{ id: 'open', match: {}, audience: 'customer', groups: ['a'], chat: true }]);
    const asked = (responseSchema: unknown) => rulingFor(policy, { ...QUESTION, responseSchema });
    expect(asked({ type: 'object' })).toEqual(rulingFor(policy, QUESTION));
    expect(asked({ $dynamicRef: '#x' })).toMatchObject({
      ...{ rule: 'open', audience: 'reviewer', groups: [], chat: false, approvable: false },
    });
  });

  verifies(
    'ACC-27',
    'SL-05: is for operators where the arguments cannot be read, whatever the rule tests',
    () => {
      for (const audience of ['customer', 'reviewer']) {
        const policy = policyOf([{ id: 'any', match: {}, audience, groups: ['a'], chat: true }]);
        const { args: _args, ...unread } = QUESTION;
        const asked = (text: string) => rulingFor(policy, { ...unread, ...readArguments(text) });
        for (const text of [
          '{"amount":1}{"amount":2}',
          '{"amount":1,"amount":2}',
          '{"amount":9007199254740993}',
          '{"amount":1',
          '{"to":"\\ud800"}',
          `${'['.repeat(100)}${']'.repeat(100)}`,
        ])
          expect({ text, ...asked(text) }).toMatchObject({
            ...{ text, rule: 'any', audience: 'reviewer', groups: [], chat: false, approvable: false },
          });
        expect(asked('{"amount":1}')).toMatchObject({ audience, approvable: true });
        expect(asked('')).toMatchObject({ audience, approvable: true });
      }
    },
  );

  verifies('ACC-10', 'is none when none matches: operators only, not approvable', () => {
    expect(rulingFor(policyOf([]), QUESTION)).toEqual({
      rule: 'none',
      version: expect.stringMatching(/^[0-9a-f]{8}$/),
      matched: [],
      approvable: false,
      audience: 'reviewer',
      groups: [],
      quorum: 1,
      distinctGroups: false,
      forbid: ['requester'],
      limits: {},
      reasonRequired: [],
      chat: false,
      undoMs: 0,
      remindMs: [],
      escalate: [],
      ttlMs: 2_592_000_000,
      onAllExpired: 'dispatch',
    });
    expect(ruled({}, { source: 'frontend_tool' })).toBe('none (operators)');
  });

  it.each([
    [{ eq: 5 }, 5, 'first'],
    [{ eq: 5 }, 6, 'lax'],
    [{ eq: 5 }, '5', 'first (operators)'],
    [{ eq: null }, null, 'first'],
    [{ eq: null }, 0, 'first (operators)'],
    [{ eq: 'CH*' }, 'CHF', 'first'],
    [{ eq: 'CH*' }, 'EUR', 'lax'],
    [{ eq: true }, false, 'lax'],
    [{ eq: 'x' }, ['x'], 'first (operators)'],
    [{ ne: 5 }, 6, 'first'],
    [{ ne: 5 }, 5, 'lax'],
    [{ ne: 5 }, 'x', 'first (operators)'],
    [{ ne: 'A*' }, 'B', 'first'],
    [{ gt: 5 }, 6, 'first'],
    [{ gt: 5 }, 5, 'lax'],
    [{ gte: 5 }, 5, 'first'],
    [{ lt: 5 }, 4, 'first'],
    [{ lt: 5 }, 5, 'lax'],
    [{ lte: 5 }, 5, 'first'],
    [{ gte: 5 }, '1500000', 'first (operators)'],
    [{ gte: 5 }, null, 'first (operators)'],
    [{ in: ['A', 'B*'] }, 'Bx', 'first'],
    [{ in: ['A', 'B*'] }, 'C', 'lax'],
    [{ in: [1, 'A'] }, 2, 'lax'],
    [{ in: [1] }, 'A', 'first (operators)'],
    [{ exists: true }, null, 'first'],
    [{ exists: false }, 0, 'lax'],
    [{ exists: true }, undefined, 'lax'],
    [{ exists: false }, undefined, 'first'],
    [{ gte: 1, lt: 10 }, 5, 'first'],
    [{ gte: 1, lt: 10 }, 10, 'lax'],
    [{ gte: 1 }, undefined, 'first (operators)'],
  ])('%j of %j is %s', (test, value, expected) => {
    expect(testing(test, value)).toBe(expected);
  });

  verifies(
    'ACC-11',
    'that cannot be evaluated matches for operators only, so that nothing falls through to a laxer one',
    () => {
      expect(
        ruled(
          { args: { '/amount': { gte: 100 } } },
          { args: undefined, argsText: '{"amount":200,"amount":1}' },
        ),
      ).toBe('first (operators)');
      expect(ruled({ args: { '/amount': { exists: false } } }, { args: undefined, argsText: '{' })).toBe(
        'first (operators)',
      );
      expect(ruled({ args: { '/amount': { gte: 100 } } }, { args: undefined })).toBe('first (operators)');
      expect(ruled({ tool: 'pay' }, { toolName: undefined })).toBe('first (operators)');
      expect(ruled({ tool: '*' }, { toolName: undefined })).toBe('first');
      expect(ruled({ args: { '/to/iban': { eq: '*' } } })).toBe('first (operators)');
      expect(ruled({ args: { '/constructor': { exists: true } } })).toBe('lax');
    },
  );

  verifies('ACC-11', 'is passed by all the same when one of its tests is false', () => {
    expect(ruled({ reason: 'input_required', args: { '/none': { gte: 1 } } })).toBe('lax');
    expect(ruled({ args: { '/none': { gte: 1 }, '/amount': { lt: 200 } } })).toBe('lax');
  });

  it('gives operators neither groups, nor chat, nor escalation to anyone', () => {
    const rule = {
      id: 'r',
      match: { args: { '/none': { eq: 1 } } },
      audience: 'customer',
      groups: ['g'],
      chat: true,
      escalate: [{ afterMs: 1, to: ['x'] }],
    };
    expect(rulingFor(policyOf([rule]), QUESTION)).toMatchObject({
      rule: 'r',
      approvable: false,
      audience: 'reviewer',
      groups: [],
      chat: false,
      escalate: [],
    });
  });

  it.each([
    [{ tz: 'UTC', from: 8, to: 18 }, 12, 'first'],
    [{ tz: 'UTC', from: 8, to: 18 }, 18, 'lax'],
    [{ tz: 'UTC', from: 8, to: 18 }, 8, 'first'],
    [{ tz: 'UTC', from: 22, to: 6 }, 23, 'first'],
    [{ tz: 'UTC', from: 22, to: 6 }, 0, 'first'],
    [{ tz: 'UTC', from: 22, to: 6 }, 6, 'lax'],
    [{ tz: 'Europe/Zurich', from: 9, to: 10 }, 8, 'first'],
    [{ tz: 'Europe/Zurich', from: 9, to: 10 }, 9, 'lax'],
    [{ tz: 'UTC', from: 0, to: 24 }, 23, 'first'],
  ])('%j at %i o’clock UTC is %s', (hour, at, expected) => {
    expect(ruled({ hour }, { at: Date.UTC(2026, 0, 15, at) })).toBe(expected);
  });

  verifies('ACC-28', 'says what was tested and found, less what the surface sees redacted', () => {
    const surfaces = { reviewer: { tools: { pay: { redact: ['/to/iban', '/kind', '/sure'] } } } };
    const args = {
      '/amount': { gte: 100 },
      '/to/iban': { eq: 'CH93', exists: true },
      '/kind': { in: ['gift', 'loan'], ne: 'tax' },
      '/sure': { ne: false },
      '/to': { exists: true },
      '/note': { exists: false },
    };
    const policy = policyOf([{ id: 'r', match: { args } }], surfaces);
    const question = { ...QUESTION, args: { amount: 200, to: { iban: 'CH93' }, kind: 'gift', sure: true } };
    const { matched } = rulingFor(policy, question);
    const seenBy = (surface: Surface) => projectMatches(policy, surface, { tool: 'pay', matched });
    const whole = [
      { pointer: '/amount', op: 'gte', want: 100, got: 200 },
      { pointer: '/to/iban', op: 'eq', want: 'CH93', got: 'CH93' },
      { pointer: '/to/iban', op: 'exists', want: true, got: 'CH93' },
      { pointer: '/kind', op: 'ne', want: 'tax', got: 'gift' },
      { pointer: '/kind', op: 'in', want: ['gift', 'loan'], got: 'gift' },
      { pointer: '/sure', op: 'ne', want: false, got: true },
      { pointer: '/to', op: 'exists', want: true, got: { iban: 'CH93' } },
      { pointer: '/note', op: 'exists', want: false, got: undefined },
    ];
    expect(seenBy('operator')).toEqual(whole);
    expect(seenBy('reviewer')).toEqual([
      { pointer: '/amount', op: 'gte', want: 100, got: 200 },
      { pointer: '/to/iban', op: 'eq', want: '[redacted]', got: '[redacted]' },
      { pointer: '/to/iban', op: 'exists', want: true, got: '[redacted]' },
      { pointer: '/kind', op: 'ne', want: 'tax', got: '[redacted]' },
      { pointer: '/kind', op: 'in', want: '[redacted]', got: '[redacted]' },
      { pointer: '/sure', op: 'ne', want: '[redacted]', got: '[redacted]' },
      { pointer: '/to', op: 'exists', want: true, got: '[redacted]' },
      { pointer: '/note', op: 'exists', want: false, got: undefined },
    ]);
    expect(projectMatches(policy, 'reviewer', { matched })).toEqual(whole);
  });

  verifies('ACC-7', 'bars nobody from their own question', () => {
    const handling = (more: object) =>
      rulingFor(policyOf([{ id: 'r', match: {}, ...more }]), QUESTION).forbid;
    expect(handling({})).toEqual(['requester']);
    expect(handling({ forbid: ['requester', 'editor'] })).toEqual(['requester', 'editor']);
    expect(handling({ forbid: [] })).toEqual([]);
    expect(handling({ audience: 'customer', forbid: ['requester'] })).toEqual([]);
  });

  verifies('ACC-13', 'limits each voting role; what cannot be evaluated is beyond a limit', () => {
    const limits = { reviewer: { '/amount': { lte: 100 } }, supervisor: { '/amount': { lte: 1000 } } };
    const ruling = rulingFor(policyOf([{ id: 'r', match: {}, limits }]), QUESTION);
    expect(limitsKept(ruling.limits, { amount: 100 })).toEqual({ reviewer: true, supervisor: true });
    expect(limitsKept(ruling.limits, { amount: 101 })).toEqual({ reviewer: false, supervisor: true });
    expect(limitsKept(ruling.limits, { amount: '1' })).toEqual({ reviewer: false, supervisor: false });
    expect(limitsKept(ruling.limits, undefined)).toEqual({ reviewer: false, supervisor: false });
    expect(limitsKept({}, undefined)).toEqual({});
  });

  it('can be kept with a task as JSON', () => {
    const ruling = rulingFor(
      policyOf([{ id: 'r', match: { hour: { tz: 'UTC', from: 0, to: 24 } }, customer: { text: 'Wait.' } }]),
      QUESTION,
    );
    expect(JSON.parse(JSON.stringify(ruling))).toEqual(ruling);
  });

  verifies('ACC-14', 'and the proposal it is about are shown whole, less redactions', () => {
    const policy = policyOf([], { reviewer: { tools: { pay: { args: [], redact: ['/to/iban'] } } } });
    const args = { amount: 1, to: { iban: 'CH93', name: 'Ada' } };
    expect(projectArgs(policy, 'reviewer', { tool: 'pay', args })).toEqual({
      amount: 1,
      to: { iban: '[redacted]', name: 'Ada' },
    });
    expect(projectArgs(policy, 'reviewer', { tool: 'other', args })).toEqual(args);
    expect(projectArgs(policy, 'operator', { tool: 'pay', args })).toBe(args);
  });
});
