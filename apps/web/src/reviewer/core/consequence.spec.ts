/** Proves that what an approval sets going is said before it is given, and no more than is known. */
import type { TaskView } from '@triptych/protocol';
import { verifies } from '../../../../../test/spec/verifies.js';
import { consequenceOf } from './consequence.js';

const task = {
  state: 'pending',
  proposal: { toolName: 'pay', args: { amount: 40, currency: 'EUR' } },
  quorum: { needed: 1, have: 0 },
  batch: { state: 'open', open: 1, total: 1 },
  may: ['approve', 'reject'],
} as unknown as TaskView;

describe('what an approval sets going', () => {
  verifies('WEB-115', 'is the tool with its money, as it stands after an edit', () => {
    const stake = { kind: 'money', value: 40, currency: 'EUR' };
    expect(consequenceOf(task)).toEqual({ tool: 'pay', stake, votes: 0, others: 0 });
    const edit = { by: 'tove', at: 1, args: { amount: 30, currency: 'EUR' } };
    expect(consequenceOf({ ...task, edit })?.stake).toEqual({ ...stake, value: 30 });
    expect(consequenceOf({ ...task, edit: { ...edit, args: {} } })).not.toHaveProperty('stake');
  });

  verifies('WEB-115', 'waits for the other approvals and for the other decisions of its run', () => {
    const quorum = { needed: 3, have: 1 };
    const batch = { ...task.batch, open: 3, total: 3 };
    expect(consequenceOf({ ...task, quorum, batch })).toMatchObject({ votes: 1, others: 2 });
    expect(consequenceOf({ ...task, quorum, may: [] })).toMatchObject({ votes: 2 });
  });

  verifies('WEB-115', 'is not said where there is nothing to approve', () => {
    expect(consequenceOf({ ...task, state: 'expired' })).toBeUndefined();
    expect(consequenceOf({ ...task, proposal: { args: {} } })).toBeUndefined();
  });
});
