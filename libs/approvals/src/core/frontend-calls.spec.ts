import type { ToolMessage } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { matterOf, NOON, olga, opened, policy, rita, ruleOnTransfer } from '../../test/bank.js';
import { callsWaiting, type Batch } from './batch.js';
import { NO_CHANGE, withChange, type Change } from './change.js';
import { decide } from './decide.js';
import { applyDue, nextDue } from './due.js';
import { frontendDeadline, takeAnswers } from './frontend-calls.js';
import { cancel } from './mend.js';
import { resumeEntries } from './resume-entries.js';
import { toolMessages } from './tool-messages.js';

const TTL = 900_000;
const call = (name: string, args: object = {}) => ({ name, argsText: JSON.stringify(args) });
const mixed = () =>
  opened({
    interrupts: [],
    pending: ['c1', 'c2', 'c3'],
    calls: { c1: call('pickSeat'), c2: call('payOut', { amount: 5 }), c3: call('payOut', { amount: 7 }) },
  });
const seat: ToolMessage = { id: 'a1', role: 'tool', toolCallId: 'c1', content: '"4C"' };

const after = (batch: Batch, change: Change | undefined): Batch =>
  withChange(batch, change ?? { tasks: [], news: [] });
const decided = (batch: Batch, toolCallId: string, over: object, actor = rita): Batch => {
  const task = batch.tasks.find(({ interruptId }) => interruptId === toolCallId)!;
  const { rev, proposalHash } = task;
  const command = { verb: 'approve' as const, rev, proposalHash, ...over };
  const judged = decide(matterOf(batch, actor, { task }), command, ruleOnTransfer);
  if (!judged.ok) throw new Error(judged.refusal.code);
  return after(batch, judged.value);
};
const answered = (batch: Batch): Batch =>
  after(batch, takeAnswers(batch, { answers: [seat], by: 'carl', now: NOON + 5 }));
const told = (batch: Batch) => toolMessages({ batch, entries: resumeEntries(batch) });
const words = ({ toolCallId, content, error }: ToolMessage) => [toolCallId, content, error];

describe('calls of a client’s own tools', () => {
  verifies('APR-47', 'are tasks where a rule of their own speaks of them, and decisions', () => {
    const batch = mixed();
    expect(batch.facts.frontend?.calls.map(({ taskId }) => taskId)).toEqual([
      undefined,
      ...batch.facts.taskIds,
    ]);
    expect(batch.tasks).toMatchObject([
      {
        source: 'frontend_tool',
        interruptId: 'c2',
        toolCallId: 'c2',
        reason: 'tool_call',
        kind: 'decision',
        proposal: { toolName: 'payOut', args: { amount: 5 } },
        ruling: { rule: 'payouts', version: policy.version, approvable: true },
        takes: { approve: true, reject: true, edit: false, respond: false },
      },
      { interruptId: 'c3' },
    ]);
    expect(callsWaiting(batch)).toEqual(['c1']);
    // A rule for interrupts says nothing of them, nor theirs of interrupts.
    const other = opened({ interrupts: [], pending: ['c1'], calls: { c1: call('transfer', { amount: 5 }) } });
    expect(other.tasks).toEqual([]);
    const asked = {
      interrupts: [{ id: 'i', reason: 'tool_call', toolCallId: 'c1' }],
      calls: { c1: call('payOut') },
    };
    expect(opened(asked).tasks[0]?.ruling.approvable).toBe(false);
  });

  verifies(
    'APR-47',
    'that cannot be read as a rule asks are a matter for operators, not for their client',
    () => {
      const batch = opened({
        interrupts: [],
        pending: ['c1'],
        calls: { c1: { name: 'payOut', argsText: '{"amount":' } },
      });
      expect(batch.tasks).toMatchObject([{ ruling: { rule: 'payouts', approvable: false } }]);
      expect(callsWaiting(batch)).toEqual([]);
    },
  );

  verifies('APR-48', 'are answered in the order they were made, whoever answered first', () => {
    const open = decided(decided(mixed(), 'c3', { verb: 'reject', reason: 'Too much.' }), 'c2', {});
    expect(open.status.state).toBe('open');
    const ready = answered(open);
    expect(ready.status.state).toBe('ready');
    expect(told(ready).map(words)).toEqual([
      ['c1', '"4C"', undefined],
      ['c2', '{"approved":true}', undefined],
      ['c3', '{"approved":false,"reason":"Too much."}', undefined],
    ]);
    expect(told(ready)).toEqual(told(ready));
    expect(told(ready)[1]).toMatchObject({ metadata: { hub: { actor: 'rita' } } });
  });

  verifies(
    'APR-48',
    'that were abandoned are said to be, and are no approval to whoever reads little',
    () => {
      const cancelled = decided(answered(mixed()), 'c2', { verb: 'cancel', reason: 'No.' }, olga);
      const batch = after(cancelled, applyDue(cancelled, cancelled.tasks[1]!.expiresAt));
      expect(told(batch).map(words).slice(1)).toEqual([
        ['c2', '{"approved":false,"error":"cancelled"}', 'cancelled'],
        ['c3', '{"approved":false,"error":"expired"}', 'expired'],
      ]);
    },
  );

  verifies(
    'APR-60',
    'that their client had left are told as lapsed when an operator cancels their batch',
    () => {
      const cancelled = cancel(mixed(), { by: 'olga', now: NOON + 5 });
      if (!cancelled.ok) throw new Error(cancelled.refusal.code);
      const batch = after(mixed(), cancelled.value);
      expect(batch.status.state).toBe('ready');
      expect(told(batch).map(words)).toEqual([
        ['c1', '{"error":"expired"}', 'expired'],
        ['c2', '{"approved":false,"error":"cancelled"}', 'cancelled'],
        ['c3', '{"approved":false,"error":"cancelled"}', 'cancelled'],
      ]);
      const kept = cancel(answered(mixed()), { by: 'olga', now: NOON + 6 });
      expect(kept.ok && words(told(after(answered(mixed()), kept.value))[0]!)).toEqual([
        'c1',
        '"4C"',
        undefined,
      ]);
    },
  );

  verifies('APR-48', 'have another message when they are decided anew', () => {
    const approved = told(decided(decided(answered(mixed()), 'c2', {}), 'c3', {}));
    const rejected = told(decided(decided(answered(mixed()), 'c2', { verb: 'reject' }), 'c3', {}));
    expect(approved[1]?.id).not.toBe(rejected[1]?.id);
  });

  verifies(
    'APR-49',
    'lapse for their client alone: people go on deciding, and the agent is told at the end',
    () => {
      const batch = mixed();
      expect([frontendDeadline(batch), nextDue(batch)]).toEqual([NOON + TTL, NOON + TTL]);
      expect(applyDue(batch, NOON + TTL - 1)).toEqual(NO_CHANGE);
      const late = after(batch, applyDue(batch, NOON + TTL));
      expect([late.status.state, callsWaiting(late)]).toEqual(['open', []]);
      expect(applyDue(late, NOON + TTL)).toEqual(NO_CHANGE);
      const ready = decided(decided(late, 'c2', {}), 'c3', {});
      expect(ready.status.state).toBe('ready');
      expect(words(told(ready)[0]!)).toEqual(['c1', '{"error":"expired"}', 'expired']);
    },
  );

  verifies('APR-49', 'may be the last to be answered, or to lapse', () => {
    const open = decided(decided(mixed(), 'c2', {}), 'c3', {});
    expect(open.status.state).toBe('open');
    expect(answered(open).status.state).toBe('ready');
    expect(after(open, applyDue(open, NOON + TTL)).status.state).toBe('ready');
  });
});
