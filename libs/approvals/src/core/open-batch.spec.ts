import { verifies } from '../../../../test/spec/verifies.js';
import {
  APPROVAL_SCHEMA,
  carl,
  cora,
  matterOf,
  NOON,
  olga,
  only,
  opened,
  policy,
  rita,
  ruleOnTransfer,
  sven,
  transferOf,
  unwrap,
} from '../../test/bank.js';
import { show } from '../shell/show.js';
import { answeredBefore } from './answered-before.js';
import { withChange } from './change.js';
import { decide } from './decide.js';
import { instantOf } from './instant.js';
import { mayRead } from './matter.js';

const HOUR = 3_600_000;
const confirm = (id: string, expiresAt?: string) => ({
  id,
  reason: 'confirmation',
  ...(expiresAt === undefined ? {} : { expiresAt }),
});

describe('opening a batch', () => {
  verifies('APR-1', 'one task per interrupt; ids derive from thread, run and interrupt', () => {
    const asked = { interrupts: [confirm('a'), confirm('b')] };
    const batch = opened(asked);
    expect(batch.facts.taskIds).toHaveLength(2);
    for (const id of batch.facts.taskIds) expect(id).toMatch(/^[\w-]{22}\.[\w-]{16}\.[\w-]{16}$/);
    expect(opened(asked)).toEqual(batch);
    const elsewhere = [
      opened({ ...asked, runId: 'run-2' }),
      opened({ ...asked, threadId: 'thread-2' }),
    ].flatMap(({ facts }) => facts.taskIds);
    expect(new Set([...batch.facts.taskIds, ...elsewhere]).size).toBe(6);
  });

  verifies('APR-1', 'IN-12: two interrupts of one id never become one task', () => {
    expect(() => opened({ interrupts: [confirm('i1'), confirm('i1')] })).toThrow('twice');
  });

  verifies('APR-2', 'the proposal is what the call said, the ruling that of the policy then', () => {
    const task = only(opened(transferOf(2_000)));
    expect(task).toMatchObject({
      proposal: { toolName: 'transfer', args: { amount: 2_000, to: 'ann', taxId: '12-34' } },
      kind: 'decision',
      ruling: { rule: 'large-transfer', quorum: 2, approvable: true },
      dueAt: NOON + 60_000,
      rev: 1,
    });
  });

  verifies('APR-2', 'arguments that are not exact JSON stay text, and nobody approves them', () => {
    for (const argsText of [
      '{"amount":1,"amount":9}',
      '{"amount":12345678901234567890}',
      '{"amount":',
      '{"to":"\\ud800"}',
    ]) {
      const task = only(opened(transferOf(1, { calls: { c1: { name: 'transfer', argsText } } })));
      expect(task.proposal).toEqual({ toolName: 'transfer', argsText });
      expect(task.ruling).toMatchObject({ rule: 'large-transfer', approvable: false });
    }
  });

  verifies(
    'APR-28',
    'SL-05: what cannot be read is approved by nobody, whatever the rule tests, and the history says why',
    () => {
      const calls = { c1: { name: 'openMandate', argsText: '{"q":"alpha"}{"q":"beta"}' } };
      for (const reason of ['tool_call', 'confirmation', 'bank:ask']) {
        const interrupts = [{ id: 'i1', reason, toolCallId: 'c1', responseSchema: APPROVAL_SCHEMA }];
        const batch = opened({ interrupts, calls });
        const task = only(batch);
        expect(task).toMatchObject({ kind: 'decision', ruling: { approvable: false, groups: [] } });
        expect(task.history.map(({ action }) => action)).toEqual(['open', 'arguments-unreadable']);
        const seen = show(policy, matterOf(batch, olga));
        expect(seen.proposal).toEqual({ toolName: 'openMandate', argsText: calls.c1.argsText });
        expect(seen.may).toEqual(['assign', 'comment', 'extend', 'cancel']);
        for (const actor of [rita, cora, sven, carl]) expect(mayRead(matterOf(batch, actor))).toBe(false);
        for (const editedArgs of [undefined, { q: 'alpha' }])
          for (const actor of [rita, sven, olga])
            expect(
              decide(matterOf(batch, actor), { verb: 'approve', editedArgs }, ruleOnTransfer),
            ).toMatchObject({ refusal: { code: 'FORBIDDEN' } });
      }
    },
  );

  verifies('APR-28', 'a call that brought no arguments has nothing that could not be read', () => {
    const interrupts = [{ id: 'i1', reason: 'confirmation', toolCallId: 'c1' }];
    const task = only(opened({ interrupts, calls: { c1: { name: 'note', argsText: '' } } }));
    expect(task.proposal).toEqual({ toolName: 'note' });
    expect(task.ruling).toMatchObject({ rule: 'confirmations', approvable: true });
    const tested = only(opened(transferOf(1, { calls: { c1: { name: 'transfer', argsText: '' } } })));
    expect(tested.ruling).toMatchObject({ rule: 'large-transfer', approvable: false });
  });

  it('tells a decision from a question', () => {
    const kindOf = (reason: string, responseSchema?: Record<string, unknown>) =>
      only(opened({ interrupts: [{ id: 'i', reason, ...(responseSchema ? { responseSchema } : {}) }] })).kind;
    expect(kindOf('tool_call')).toBe('decision');
    expect(kindOf('confirmation')).toBe('decision');
    expect(kindOf('bank:ask')).toBe('question');
    expect(kindOf('bank:ask', APPROVAL_SCHEMA)).toBe('decision');
    expect(kindOf('bank:ask', { anyOf: [{ properties: { approved: { type: ['boolean', 'null'] } } }] })).toBe(
      'decision',
    );
    expect(kindOf('bank:ask', { properties: { approved: { type: 'string' } } })).toBe('question');
  });

  verifies('APR-13', 'IN-17: unreadable, zone-less, zero and early deadlines', () => {
    const end = opened({
      interrupts: [
        confirm('soon', 'soon'),
        confirm('zoneless', '2026-03-01T09:00:00'),
        confirm('zero', '1970-01-01T00:00:00Z'),
        confirm('early', new Date(NOON + 1_000).toISOString()),
        confirm('none'),
      ],
    });
    const expiries = end.tasks.map(({ expiresAt }) => expiresAt);
    const own = NOON + HOUR;
    expect(expiries).toEqual([
      own,
      Math.min(own, instantOf('2026-03-01T09:00:00Z') ?? 0),
      0,
      NOON + 1_000,
      own,
    ]);
    expect(end.tasks[0]?.history.map(({ action }) => action)).toEqual(['open', 'expiry-unreadable']);
  });

  verifies(
    'APR-96',
    'says of an interrupt that comes again how it was answered before, and answers nothing',
    () => {
      const asked = { interrupts: [{ id: 'i1', reason: 'confirmation' }] };
      const first = opened({ ...asked, runId: 'run-1' });
      const judged = decide(matterOf(first, rita), { verb: 'approve' }, ruleOnTransfer);
      const done = withChange(first, unwrap(judged));
      const other = opened({ interrupts: [{ id: 'i2', reason: 'confirmation' }], runId: 'run-2' });
      const answered = answeredBefore([other, done, first]);
      const again = only(opened({ ...asked, runId: 'run-3', answered }));
      expect(again).toMatchObject({ status: 'open', votes: [] });
      expect(again.history).toEqual([
        { at: NOON, by: 'hub', action: 'open' },
        {
          at: NOON,
          by: 'hub',
          action: 'answered-before',
          text: expect.stringContaining('approved in run run-1'),
        },
      ]);
      expect(
        only(opened({ interrupts: [{ id: 'i3', reason: 'confirmation' }], answered })).history,
      ).toHaveLength(1);
    },
  );
});
