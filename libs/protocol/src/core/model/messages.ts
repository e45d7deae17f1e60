/** Finds and changes messages in a list that others may hold: every change makes a new list. */
import type { Message, ToolCall } from '../agui.js';
import type { Model } from './model.js';

export type Metadata = Record<string, unknown>;

type AssistantMessage = Extract<Message, { role: 'assistant' }>;

const NO_CALLS: readonly ToolCall[] = [];

const callsOf = (message: Message): readonly ToolCall[] =>
  (message as { toolCalls?: readonly ToolCall[] }).toolCalls ?? NO_CALLS;

type Test = (message: Message) => boolean;

/**
 * What is being written is near the end, so the search begins there. Only when ids repeat (two results may carry one)
 * does it begin at the front: readers agree that the first is meant.
 */
const indexWhere = ({ messages, idsRepeat }: Model, test: Test): number =>
  idsRepeat ? messages.findIndex(test) : messages.findLastIndex(test);

export const indexOfMessage = (model: Model, id: string): number =>
  indexWhere(model, (message) => message.id === id);

/** True when a message id, or a call id, is there more than once. */
export const doIdsRepeat = (messages: readonly Message[]): boolean => {
  const calls = messages.flatMap(callsOf);
  return (
    new Set(messages.map(({ id }) => id)).size < messages.length ||
    new Set(calls.map(({ id }) => id)).size < calls.length
  );
};

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

export const findCall = (model: Model, id: string): FoundCall | undefined => {
  let call: ToolCall | undefined;
  const index = indexWhere(model, (message) => {
    call = callsOf(message).find((candidate) => candidate.id === id);
    return call !== undefined;
  });
  return call && { index, message: model.messages[index] as AssistantMessage, call };
};

export const putCall = (model: Model, { index, message, call }: FoundCall, next: ToolCall): Model =>
  next === call
    ? model
    : putMessage(model, index, {
        ...message,
        toolCalls: callsOf(message).map((candidate) => (candidate === call ? next : candidate)),
      });
