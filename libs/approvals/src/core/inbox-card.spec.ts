import { verifies } from '../../../../test/spec/verifies.js';
import { carl, cora, NOON, olga, only, opened, rita, stranger, sven, transferOf } from '../../test/bank.js';
import type { Batch } from './batch.js';
import { cardOf, stateAt, stateUntil } from './inbox-card.js';
import { areReaders, mayRead, type Readers } from './matter.js';
import type { OpenTask, Task } from './task.js';
import { stateOf } from './task-view.js';

const NOTHING = { texts: { operator: '', audience: '' }, sums: {} };

const open = (batch: Batch): OpenTask => {
  const task = only(batch);
  if (task.status !== 'open') throw new Error('the task is settled');
  return task;
};

const withTask = (batch: Batch, task: Task): Batch => ({ ...batch, tasks: [task] });

describe('a card', () => {
  const batch = opened(transferOf(500));
  const task = open(batch);
  const vote = {
    by: 'rita',
    verb: 'approve',
    at: NOON,
    groups: [],
    proposalHash: '',
    payloadHash: '',
  } as const;
  const decision = {
    id: 'd',
    kind: 'approved',
    by: ['rita'],
    at: NOON,
    proposalHash: '',
    payloadHash: '',
  } as const;
  const claim = { by: 'rita', until: NOON + 5_000, maxUntil: NOON + 9_000 };
  const tasks: Task[] = [
    task,
    { ...task, claim },
    { ...task, claim: { ...claim, until: task.expiresAt + 5 } },
    { ...task, claim, votes: [vote] },
    { ...task, status: 'settled', claim: undefined, decision },
    {
      ...{ ...task, claim: undefined, decision },
      ...{ status: 'held', heldUntil: NOON + 5_000, before: { proposalHash: '', votes: [] } },
    },
    { ...task, status: 'settled', claim: undefined, decision: { ...decision, kind: 'expired' } },
  ];

  const before = { proposalHash: '', votes: [] };
  const held: Task = { ...task, status: 'held', claim: undefined, decision, before, heldUntil: NOON + 5_000 };
  tasks.push(held);
  const statuses: Batch['status'][] = [
    { state: 'open' },
    { state: 'running', attempt: 1, runId: 'r' },
    { state: 'done', at: NOON },
  ];
  const moments = [NOON, claim.until, task.expiresAt].flatMap((at) => [at - 1, at, at + 1, at + 9]);
  const cases = statuses.flatMap((status) => tasks.map((one) => ({ ...withTask(batch, one), status })));

  verifies('APR-82', 'is in the state of its task at every moment, and says when that moves', () => {
    for (const there of cases) {
      const card = cardOf(there, only(there), NOTHING);
      const shown = moments.map((now) => stateOf({ batch: there, task: only(there), now }));
      expect(moments.map((now) => stateAt(card, now))).toEqual(shown);
      for (const now of moments) {
        const until = Math.min(stateUntil(card, now), now + 1e9);
        expect(until).toBeGreaterThan(now);
        expect(stateAt(card, until - 1)).toBe(stateAt(card, now));
      }
      // The last of them is not at the next look what it is now.
      const turns = moments.filter((now) => moments.includes(stateUntil(card, now)));
      expect(turns.length > 0).toBe(new Set(shown).size > 1);
    }
  });

  verifies('APR-82', 'has the readers of its task', () => {
    const asked = [
      batch,
      opened({ interrupts: [{ id: 'q', reason: 'input_required' }] }),
      opened({ interrupts: [{ id: 'c', reason: 'confirmation' }] }),
      opened({ interrupts: [{ id: 'u', reason: 'nobody:rules' }] }),
      opened(transferOf(500, { tenant: 'other' })),
    ];
    const both = { ...carl, roles: ['customer', 'reviewer'] as const };
    const people = [carl, rita, cora, sven, olga, stranger, both, { ...both, subject: 'ann' }];
    for (const one of asked)
      for (const actor of people) {
        const readers = JSON.parse(cardOf(one, only(one), NOTHING).readers) as Readers;
        expect(areReaders(readers, actor)).toBe(mayRead({ batch: one, task: only(one), actor }));
      }
  });
});
