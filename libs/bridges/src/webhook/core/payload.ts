/** What a webhook says: the ids of what happened by default, the task as the destination may see it where the file asks for that. */
import type { TaskView } from '@triptych/protocol';
import type { Notice, What } from '../../core/bridge.js';

export type WebhookType =
  | 'task.created'
  | 'task.claimed'
  | 'task.decided'
  | 'task.expired'
  | 'task.escalated'
  | 'batch.resumed'
  | 'batch.failed';

const TYPES: Readonly<Record<What, WebhookType | undefined>> = {
  created: 'task.created',
  claimed: 'task.claimed',
  decided: 'task.decided',
  expired: 'task.expired',
  escalated: 'task.escalated',
  resumed: 'batch.resumed',
  failed: 'batch.failed',
  // Votes, comments and edits are for whoever looks at the task.
  changed: undefined,
};

/** undefined: nobody is told of this. */
export const webhookTypeOf = ({ what }: Pick<Notice, 'what'>): WebhookType | undefined => TYPES[what];

const idsOf = ({ taskId, rev, state, threadId, runId, agentId, interruptId, batch, policy }: TaskView) => ({
  ...{ taskId, rev, state, threadId, runId, agentId, interruptId },
  ...{ batchId: batch.batchId, rule: policy.rule },
});

/** What is one reader's alone is nobody's here. */
const wholeOf = ({ may: _may, mayNot: _mayNot, ...task }: TaskView) => task;

/** `at`: when it is said, as ISO 8601. */
export const payloadOf = (
  { task, destination }: Notice<'webhook'>,
  said: { readonly type: WebhookType; readonly at: string },
): Buffer => {
  const data = { ...idsOf(task), ...(destination.payload === 'full' ? { task: wholeOf(task) } : {}) };
  return Buffer.from(JSON.stringify({ type: said.type, timestamp: said.at, data }));
};
