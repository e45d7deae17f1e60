/** Collects the tool calls of a conversation by id, as approvals need to show them. */
import type { Message } from '@triptych/protocol';
import { answeredIn } from './tool-results.js';

export interface CallSeen {
  readonly name: string;
  readonly argsText: string;
  readonly subagentRunId?: string;
  /** It has its result already. */
  readonly isAnswered?: true;
}

export const callsOf = (messages: readonly Message[]): ReadonlyMap<string, CallSeen> => {
  const calls = new Map<string, CallSeen>();
  const answered = answeredIn(messages);
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    const owner = message.subagentRunId;
    for (const call of message.toolCalls ?? [])
      calls.set(call.id, {
        name: call.function.name,
        argsText: call.function.arguments,
        ...(owner === undefined ? {} : { subagentRunId: owner }),
        ...(answered.has(call.id) ? { isAnswered: true } : {}),
      });
  }
  return calls;
};
