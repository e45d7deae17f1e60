/** Writes what an agent is told of its client's calls: people's decisions on some, the client's answers to the others. */
import type { ResumeEntry, ToolMessage } from '@triptych/protocol';
import { taskIn, type Batch, type FrontendCall } from './batch.js';
import { shortNameOf } from './canonical.js';
import type { Decision } from './task.js';

interface Telling {
  readonly batch: Batch;
  /** One for each task, as for a resume. */
  readonly entries: readonly ResumeEntry[];
}

/** APR-46: many agents read nothing of a tool message but its content. */
const endedWithout = (error: 'cancelled' | 'expired', said: object) => ({
  content: JSON.stringify({ ...said, error }),
  error,
});

/** An answer that a decision is: what an agent reads as no approval stays none however little of it is read. */
const wordsOf = ({ kind, payload }: Decision) =>
  payload === undefined
    ? endedWithout(kind === 'expired' ? 'expired' : 'cancelled', { approved: false })
    : { content: JSON.stringify(payload) };

/** Another decision has another name, so that it is not taken for a message the thread knows. */
const nameOf = ({ facts }: Batch, toolCallId: string, of: string): string =>
  `hub-${shortNameOf([facts.batchId, toolCallId, of])}`;

/** What is said of a call whose client said nothing in time. */
export const lapsedAnswer = (batch: Batch, toolCallId: string): ToolMessage => ({
  id: nameOf(batch, toolCallId, 'expired'),
  role: 'tool',
  toolCallId,
  ...endedWithout('expired', {}),
});

const decisionOn = (
  { batch, entries }: Telling,
  { toolCallId, taskId = '' }: FrontendCall,
): ToolMessage[] => {
  const decision = taskIn(batch, taskId)?.decision;
  const metadata = entries.find(({ interruptId }) => interruptId === toolCallId)?.metadata;
  if (!decision) return [];
  const told = { ...wordsOf(decision), ...(metadata ? { metadata } : {}) };
  return [{ id: nameOf(batch, toolCallId, decision.id), role: 'tool', toolCallId, ...told }];
};

/** APR-48: one message for each call of the batch, in the order the agent made them. */
export const toolMessages = (telling: Telling): ToolMessage[] => {
  const { facts, answers = [] } = telling.batch;
  const messages = (facts.frontend?.calls ?? []).flatMap((call) =>
    call.taskId === undefined
      ? answers.filter(({ toolCallId }) => toolCallId === call.toolCallId)
      : decisionOn(telling, call),
  );
  if (messages.length !== facts.frontend?.calls.length)
    throw new Error(`Batch ${facts.batchId} is not settled.`);
  return messages;
};
