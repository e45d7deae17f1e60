/** Finds and changes messages in a list that others may hold: every change makes a new list. */
import type { Message, ToolCall } from '../agui.js';
import type { Model } from './model.js';

export type Metadata = Record<string, unknown>;

type AssistantMessage = Extract<Message, { role: 'assistant' }>;

// Ids can repeat (two results may carry one); readers agree that the first is meant.
export const indexOfMessage = (messages: readonly Message[], id: string): number =>
  messages.findIndex((message) => message.id === id);

export const putMessage = (model: Model, index: number, message: Message): Model => ({
  ...model,
  messages: model.messages.with(index, message),
});

export const appendMessage = (model: Model, message: Message): Model => ({
  ...model,
  messages: [...model.messages, message],
});

/** Key by key, the last write wins, never deeper; the metadata of one event is a flat note on what it builds. */
export const withMetadata = <T extends { metadata?: Metadata }>(holder: T, metadata?: Metadata): T =>
  metadata === undefined ? holder : { ...holder, metadata: { ...holder.metadata, ...metadata } };

export interface FoundCall {
  readonly index: number;
  readonly message: AssistantMessage;
  readonly call: ToolCall;
}

const NO_CALLS: readonly ToolCall[] = [];

const callsOf = (message: Message): readonly ToolCall[] =>
  (message as { toolCalls?: readonly ToolCall[] }).toolCalls ?? NO_CALLS;

export const findCall = (messages: readonly Message[], id: string): FoundCall | undefined => {
  let call: ToolCall | undefined;
  const index = messages.findIndex((message) => {
    call = callsOf(message).find((candidate) => candidate.id === id);
    return call !== undefined;
  });
  return call && { index, message: messages[index] as AssistantMessage, call };
};

export const putCall = (model: Model, { index, message, call }: FoundCall, next: ToolCall): Model =>
  next === call
    ? model
    : putMessage(model, index, {
        ...message,
        toolCalls: callsOf(message).map((candidate) => (candidate === call ? next : candidate)),
      });
