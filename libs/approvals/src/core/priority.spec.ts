import { verifies } from '../../../../test/spec/verifies.js';
import { NOON, only, opened, transferOf } from '../../test/bank.js';
import { priorityAt } from './priority.js';
import type { Task } from './task.js';

const MINUTE = 60_000;

describe('a task’s priority', () => {
  verifies('APR-80', 'rises from 50 when it is asked to 100 when it is due, and stays there', () => {
    const task = only(opened(transferOf(2_000)));
    expect(task.dueAt).toBe(NOON + MINUTE);
    const after = (ms: number) => priorityAt(task, NOON + ms);
    expect([-1, 0, 600, 1_200, MINUTE / 2, MINUTE - 1, MINUTE, 100 * MINUTE].map(after)).toEqual([
      50, 50, 50, 51, 75, 99, 100, 100,
    ]);
  });

  verifies('APR-80', 'runs to the deadline where nothing is due before', () => {
    const task = only(opened(transferOf(500)));
    expect(task.dueAt).toBeUndefined();
    expect(priorityAt(task, (NOON + task.expiresAt) / 2)).toBe(75);
    expect(priorityAt({ ...task, expiresAt: task.createdAt }, NOON)).toBe(100);
  });

  verifies('APR-80', 'stands still once it is settled', () => {
    const decision = { id: 'd', kind: 'approved', by: ['rita'], at: NOON + MINUTE / 2 } as const;
    const settled = {
      ...only(opened(transferOf(2_000))),
      status: 'settled',
      claim: undefined,
      decision: { ...decision, proposalHash: '', payloadHash: '' },
    } satisfies Task;
    expect(priorityAt(settled, NOON + 100 * MINUTE)).toBe(75);
  });
});
