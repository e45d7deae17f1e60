/** Folds tool calls into the messages that carry them, and results behind those. */
import type { Message, ToolCall } from '../agui.js';
import type { EventOf } from '../event-types.js';
import {
  appendMessage,
  findCall,
  indexOfMessage,
  putCall,
  putMessage,
  withMetadata,
  type FoundCall,
} from './messages.js';
import { warned, type Model } from './model.js';

type Start = EventOf<'TOOL_CALL_START'>;

const newCall = ({ toolCallId: id, toolCallName: name, metadata }: Start): ToolCall =>
  withMetadata<ToolCall>({ id, type: 'function', function: { name, arguments: '' } }, metadata);

/** The call was begun before; its arguments so far are the only copy there is. */
const restartCall = (model: Model, found: FoundCall, event: Start): Model => {
  const { call } = found;
  const name = event.toolCallName;
  const renamed = call.function.name === name ? call : { ...call, function: { ...call.function, name } };
  return putCall(model, found, withMetadata(renamed, event.metadata));
};

/** No assistant message is there to carry the call, so one is made: under the parent's id if that is free. */
const carryCall = (model: Model, event: Start, parentTaken: boolean): Model => {
  const { parentMessageId, toolCallId, subagentRunId } = event;
  const id = parentTaken || !parentMessageId ? toolCallId : parentMessageId;
  const isNew = indexOfMessage(model, id) < 0;
  const carrier: Message = {
    id,
    role: 'assistant',
    toolCalls: [newCall(event)],
    ...(isNew && subagentRunId !== undefined ? { subagentRunId } : {}),
  };
  return appendMessage(isNew ? model : { ...model, idsRepeat: true }, carrier);
};

export const startCall = (model: Model, event: Start): Model => {
  const found = findCall(model, event.toolCallId);
  if (found) return restartCall(model, found, event);
  const index = event.parentMessageId ? indexOfMessage(model, event.parentMessageId) : -1;
  const parent = model.messages[index];
  if (parent?.role !== 'assistant') return carryCall(model, event, parent !== undefined);
  return putMessage(model, index, { ...parent, toolCalls: [...(parent.toolCalls ?? []), newCall(event)] });
};

export const appendArgs = (model: Model, event: EventOf<'TOOL_CALL_ARGS'>): Model => {
  const found = findCall(model, event.toolCallId);
  if (!found) return warned(model, `TOOL_CALL_ARGS: there is no tool call '${event.toolCallId}'`);
  const { call } = found;
  const longer = {
    ...call,
    function: { ...call.function, arguments: call.function.arguments + event.delta },
  };
  return putCall(model, found, withMetadata(longer, event.metadata));
};

export const endCall = (model: Model, event: EventOf<'TOOL_CALL_END'>): Model => {
  const found = findCall(model, event.toolCallId);
  if (!found) return warned(model, `TOOL_CALL_END: there is no tool call '${event.toolCallId}'`);
  return putCall(model, found, withMetadata(found.call, event.metadata));
};

/** Right behind the message that called, and behind the results it has already: models insist on that order. */
const placeOfResult = (messages: readonly Message[], toolCallId: string): number => {
  const caller = messages.findIndex(
    (message) =>
      message.role === 'assistant' && message.toolCalls?.some(({ id }) => id === toolCallId) === true,
  );
  if (caller < 0) return messages.length;
  const next = messages.findIndex((message, index) => index > caller && message.role !== 'tool');
  return next < 0 ? messages.length : next;
};

export const addResult = (model: Model, event: EventOf<'TOOL_CALL_RESULT'>): Model => {
  const { messageId: id, toolCallId, content, metadata, subagentRunId } = event;
  const result = withMetadata<Message>(
    { id, toolCallId, role: 'tool', content, ...(subagentRunId === undefined ? {} : { subagentRunId }) },
    metadata,
  );
  const place = placeOfResult(model.messages, toolCallId);
  const idsRepeat = model.idsRepeat || indexOfMessage(model, id) >= 0;
  return { ...model, idsRepeat, messages: model.messages.toSpliced(place, 0, result) };
};

/** An opaque value to be sent back with the entity it belongs to; one for an unknown entity is left out. */
export const keepEncrypted = (model: Model, event: EventOf<'REASONING_ENCRYPTED_VALUE'>): Model => {
  const { entityId, encryptedValue } = event;
  if (event.subtype === 'tool-call') {
    const found = findCall(model, entityId);
    return found?.message.role === 'assistant'
      ? putCall(model, found, { ...found.call, encryptedValue })
      : model;
  }
  const index = indexOfMessage(model, entityId);
  const found = model.messages[index];
  return found && found.role !== 'activity' ? putMessage(model, index, { ...found, encryptedValue }) : model;
};
