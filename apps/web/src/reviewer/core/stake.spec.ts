/** Proves what the desk says is at stake: large sums, edits that decide, and what an edit made of a proposal. */
import type { TaskView } from '@triptych/protocol';
import { verifies } from '../../../../../test/spec/verifies.js';
import { amendedIn, editDecides, isWeighty, stakeOf } from './stake.js';

const args = (amount: number, more: object = {}) => ({
  amount,
  currency: 'EUR',
  mandate: 'balanced',
  ...more,
});
const money = (value: number) => ({ kind: 'money', value, currency: 'EUR' });
const quorum = (needed: number) => ({ needed, have: 0 });
const vote = (by: string) => ({ by, verb: 'approve', at: 1 }) as const;
const edit = (changed: object) => ({ by: 'jan', at: 1, args: changed });
const proposal = { args: args(2_000_000) };
const approved: TaskView['decision'] = { kind: 'approved', by: ['jan'], at: 2 };

describe('what is at stake', () => {
  verifies('WEB-25', 'a large sum or several approvals ask once more, with the amount', () => {
    expect(isWeighty({ quorum: quorum(1) }, args(9_999))).toBe(false);
    expect(isWeighty({ quorum: quorum(1) }, args(10_000))).toBe(true);
    expect(isWeighty({ quorum: quorum(2) }, {})).toBe(true);
    expect(stakeOf(args(5))).toEqual(money(5));
    expect(stakeOf('text')).toBeUndefined();
  });

  verifies('WEB-25', 'an edit decides where one approval is enough', () => {
    const task = { quorum: quorum(1), votes: [], proposal };
    expect(editDecides(task, args(5), 'ruth')).toBe(true);
    expect(editDecides({ ...task, quorum: quorum(2), votes: [vote('jan')] }, args(5), 'ruth')).toBe(false);
  });

  verifies('WEB-25', 'an edit back to what was asked may find its approvals still counting', () => {
    const task = { quorum: quorum(2), votes: [vote('tove')], proposal, edit: edit(args(5)) };
    expect(editDecides(task, proposal.args, 'ruth')).toBe(true);
    expect(editDecides(task, proposal.args, 'tove')).toBe(false);
    expect(editDecides(task, args(6), 'ruth')).toBe(false);
  });
});

describe('what an edit made of a proposal', () => {
  verifies('WEB-25', 'both amounts are told, before and after the approval', () => {
    const changed = { kind: 'money', from: money(2_000_000), to: money(1_800_000) };
    const edited = { proposal, edit: edit(args(1_800_000, { mandate: 'calm' })) };
    expect(amendedIn(edited)).toEqual({ approved: false, ...changed });
    expect(amendedIn({ ...edited, decision: approved })).toEqual({ approved: true, ...changed });
    const inDecision = { proposal, decision: { ...approved, editedArgs: args(1_800_000) } };
    expect(amendedIn(inDecision)).toEqual({ approved: true, ...changed });
  });

  verifies('WEB-25', 'without an amount the changes are counted; without a change nothing is said', () => {
    const edited = { proposal, edit: edit(args(2_000_000, { mandate: 'calm', fee: 1 })) };
    expect(amendedIn({ ...edited, decision: approved })).toEqual({ approved: true, kind: 'fields', n: 2 });
    expect(amendedIn({ proposal, decision: approved })).toBeUndefined();
    expect(amendedIn({ proposal, edit: edit(args(2_000_000)) })).toBeUndefined();
    expect(amendedIn({ ...edited, decision: { ...approved, kind: 'rejected' } })).toBeUndefined();
  });
});
