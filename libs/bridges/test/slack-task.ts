/** A task as a channel is shown it, with what a test says of it. */
import type { TaskView } from '@triptych/protocol';

export const AT = Date.UTC(2026, 10, 30, 12);

export const taskWith = (members: Partial<TaskView> = {}): TaskView => ({
  taskId: 'b.1',
  rev: 3,
  state: 'pending',
  threadId: 'thread',
  runId: 'run',
  agentId: 'onboarding',
  interruptId: 'i1',
  source: 'interrupt',
  reason: 'tool_call',
  message: 'Shall I open it?',
  proposal: { toolName: 'openAccount', args: { amount: 2_000_000, iban: 'CH93' } },
  proposalHash: 'hash',
  audience: 'reviewer',
  groups: ['advisors'],
  priority: 50,
  requester: 'amelia',
  createdAt: AT,
  dueAt: AT + 900_000,
  expiresAt: AT + 3_600_000,
  votes: [],
  quorum: { needed: 1, have: 0 },
  batch: { batchId: 'b', state: 'open', open: 1, total: 1 },
  policy: {
    rule: 'large',
    version: 'v',
    matched: [{ pointer: '/amount', op: 'gte', want: 1_500_000, got: 2_000_000 }],
  },
  may: [],
  ...members,
});
