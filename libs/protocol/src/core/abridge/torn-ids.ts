/** Finds messages and calls that were told in more than one way: what a view learnt of them depends on the order. */
import type { AguiEvent, Message } from '../agui.js';
import type { ToldEntry } from './told-entry.js';

type Told = readonly [key: string, as: string];

export const messageKey = (id: unknown): string => `message ${String(id)}`;
export const callKey = (id: unknown): string => `call ${String(id)}`;

const as = (what: unknown, owner: unknown): string => JSON.stringify([what, owner ?? null]);
const message = (id: unknown, role: unknown, owner: unknown): Told => [messageKey(id), as(role, owner)];
const call = (id: unknown, name: unknown, owner: unknown): Told => [callKey(id), as(name, owner)];

const toldByMessage = (told: Message): readonly Told[] => {
  const { id, role, subagentRunId: owner } = told;
  const calls = role === 'assistant' ? (told.toolCalls ?? []) : [];
  return [message(id, role, owner), ...calls.map((one) => call(one.id, one.function.name, owner))];
};

const listOf = (list: unknown): readonly Message[] => (Array.isArray(list) ? (list as Message[]) : []);

const toldBy = (event: AguiEvent): readonly Told[] => {
  const { messageId, toolCallId, parentMessageId, subagentRunId: owner } = event;
  switch (event.type) {
    case 'TEXT_MESSAGE_START':
      return [message(messageId, event['role'] ?? 'assistant', owner)];
    case 'REASONING_MESSAGE_START':
    case 'REASONING_START':
      return [message(messageId, 'reasoning', owner)];
    case 'ACTIVITY_SNAPSHOT':
      return [message(messageId, 'activity', owner)];
    case 'TOOL_CALL_RESULT':
      return [message(messageId, 'tool', owner)];
    case 'TOOL_CALL_START':
      return [
        call(toolCallId, event['toolCallName'], owner),
        message(parentMessageId ?? toolCallId, 'assistant', owner),
      ];
    case 'MESSAGES_SNAPSHOT':
      return listOf(event['messages']).flatMap(toldByMessage);
    case 'RUN_STARTED':
      return listOf((event['input'] as { messages?: unknown } | undefined)?.messages).flatMap(toldByMessage);
    default:
      return [];
  }
};

export const tornIds = (entries: readonly ToldEntry[]): ReadonlySet<string> => {
  const first = new Map<string, string>();
  const torn = new Set<string>();
  for (const { event } of entries)
    for (const [key, how] of toldBy(event)) {
      if (first.has(key) && first.get(key) !== how) torn.add(key);
      first.set(key, first.get(key) ?? how);
    }
  return torn;
};
