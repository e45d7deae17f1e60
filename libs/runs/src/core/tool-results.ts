/** Finds in an event the results of tool calls that the conversation has not heard of yet. */
import type { AguiEvent, Message } from '@triptych/protocol';

const answers = (message: Message): message is Message & { readonly toolCallId: string } =>
  message.role === 'tool' && typeof message.toolCallId === 'string';

/** A tool message that tells of an error says that the call came to nothing. */
const tellsResult = (message: Message): boolean =>
  answers(message) && !('error' in message && message.error !== undefined);

export const mayHoldResults = ({ type }: Pick<AguiEvent, 'type'>): boolean =>
  type === 'TOOL_CALL_RESULT' || type === 'MESSAGES_SNAPSHOT';

/** The calls that have their result, by id. */
export const answeredIn = (messages: readonly Message[]): ReadonlySet<string> =>
  new Set(messages.filter(answers).map(({ toolCallId }) => toolCallId));

export const newResults = (known: readonly Message[], event: AguiEvent): readonly string[] => {
  if (event.type === 'TOOL_CALL_RESULT') return [String(event.toolCallId)];
  if (event.type !== 'MESSAGES_SNAPSHOT' || !Array.isArray(event.messages)) return [];
  const before = answeredIn(known);
  const told = (event.messages as Message[]).filter(tellsResult);
  return [...answeredIn(told)].filter((call) => !before.has(call));
};

/** What a call's result says, the last that was told; undefined: it has none. */
export const resultIn = (messages: readonly Message[], call: string): string | undefined => {
  const content = messages.findLast((message) => answers(message) && message.toolCallId === call)?.content;
  return content === undefined || typeof content === 'string' ? content : JSON.stringify(content);
};
