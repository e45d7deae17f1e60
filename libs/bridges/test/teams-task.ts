/** A task as cards of Teams are tried with. */
import type { TaskView } from '@triptych/protocol';
import type { AdaptiveCard } from '../src/teams/core/adaptive-card.js';

const AT = Date.UTC(2026, 10, 30, 12, 0);

export const taskOf = (over: Partial<TaskView> = {}): TaskView => ({
  taskId: 'task-1',
  rev: 3,
  state: 'pending',
  threadId: 'thread-1',
  runId: 'run-1',
  agentId: 'onboarding',
  interruptId: 'i1',
  source: 'interrupt',
  reason: 'tool_call',
  message: 'Please approve the transfer.',
  proposal: { toolName: 'transfer', args: { amount: 2_000_000, currency: 'CHF', to: 'CH93 0076' } },
  proposalHash: 'hash-1',
  audience: 'reviewer',
  groups: [],
  priority: 50,
  requester: 'amelia',
  createdAt: AT,
  expiresAt: AT + 3_600_000,
  votes: [],
  quorum: { needed: 1, have: 0 },
  batch: { batchId: 'batch-1', state: 'open', open: 1, total: 1 },
  policy: { rule: 'large', version: 'v1', matched: [] },
  may: [],
  ...over,
});

export const decidedTask = taskOf({
  state: 'closed',
  decision: { kind: 'approved', by: ['ann'], at: AT + 60_000 },
  batch: { batchId: 'batch-1', state: 'done', open: 0, total: 1 },
});

export const TERMS = {
  link: 'http://127.0.0.1:4000/reviewer?task=task-1',
  value: 't1.task-1.3.mac',
  names: { bob: 'Bob Baker' },
};
export const EVERYBODY = { kind: 'everybody', refreshFor: ['29:ann'] } as const;
export const ANN = { kind: 'person', may: ['claim', 'approve', 'reject'] } as const;

/** Every text on the card that a person can read, in order. */
export const textOn = (card: AdaptiveCard): string =>
  card.body
    .map((element) =>
      element.type === 'RichTextBlock'
        ? element.inlines.map(({ text }) => text).join('')
        : element.type === 'TextBlock'
          ? element.text
          : '',
    )
    .join('\n');
