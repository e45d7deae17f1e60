/** Tool calls: a call lives inside the message that carries it, and has that message's owner. */
import type { EventOf } from '../event-types.js';
import { own, ownerFault, ownerName, type Entity, type Owner, type RunGrammar } from './run-grammar.js';
import { violation, type Violation } from './violations.js';

const callOf = (id: string): Entity => ({ kind: 'toolCall', id });
const messageOf = (id: string): Entity => ({ kind: 'message', id });

/** The message a new call will stand in: its parent, or one made for it under the call's own id. */
const carrierOf = ({ parentMessageId, toolCallId }: EventOf<'TOOL_CALL_START'>): Entity =>
  messageOf(parentMessageId === undefined || parentMessageId === '' ? toolCallId : parentMessageId);

/** No tag means: whoever owns the message around it. */
const effectiveOwner = (run: RunGrammar, event: EventOf<'TOOL_CALL_START'>): Owner =>
  event.subagentRunId ??
  (event.parentMessageId === undefined ? undefined : run.owners.message.get(event.parentMessageId));

const reopenFault = (run: RunGrammar, event: EventOf<'TOOL_CALL_START'>): Violation | undefined => {
  const fault = ownerFault(run, callOf(event.toolCallId), event.subagentRunId);
  if (fault || event.parentMessageId === undefined) return fault;
  const { message, toolCall } = run.owners;
  if (!toolCall.has(event.toolCallId) || !message.has(event.parentMessageId)) return undefined;
  const [call, parent] = [toolCall.get(event.toolCallId), message.get(event.parentMessageId)];
  if (call === parent) return undefined;
  return violation(
    'wrong-owner',
    `The tool call '${event.toolCallId}' belongs to ${ownerName(call)}, its parent message to ${ownerName(parent)}.`,
    '/parentMessageId',
  );
};

export const toolCallStart = (run: RunGrammar, event: EventOf<'TOOL_CALL_START'>): Violation | undefined => {
  const { toolCallId, subagentRunId } = event;
  if (run.toolCalls.has(toolCallId))
    return violation('already-open', `TOOL_CALL_START: the tool call '${toolCallId}' is open already.`);
  const isNew = !run.owners.toolCall.has(toolCallId);
  const carrier = carrierOf(event);
  const misplaced = isNew || event.parentMessageId !== undefined;
  const fault = (misplaced && ownerFault(run, carrier, subagentRunId)) || reopenFault(run, event);
  if (fault) return fault;
  const owner = effectiveOwner(run, event);
  run.toolCalls.add(toolCallId);
  own(run, callOf(toolCallId), owner);
  if (isNew) own(run, carrier, owner);
  return undefined;
};

const goOn = (
  run: RunGrammar,
  event: EventOf<'TOOL_CALL_ARGS'> | EventOf<'TOOL_CALL_END'>,
): Violation | undefined =>
  run.toolCalls.has(event.toolCallId)
    ? ownerFault(run, callOf(event.toolCallId), event.subagentRunId)
    : violation('not-open', `${event.type}: no tool call '${event.toolCallId}' is open.`);

export const toolCallArgs = (run: RunGrammar, event: EventOf<'TOOL_CALL_ARGS'>): Violation | undefined =>
  goOn(run, event);

export const toolCallEnd = (run: RunGrammar, event: EventOf<'TOOL_CALL_END'>): Violation | undefined => {
  const fault = goOn(run, event);
  if (!fault) run.toolCalls.delete(event.toolCallId);
  return fault;
};

/** A result makes a message of its own; whoever ran the tool owns it, which need not be whoever called. */
export const toolCallResult = (run: RunGrammar, event: EventOf<'TOOL_CALL_RESULT'>): undefined => {
  run.owners.message.set(event.messageId, event.subagentRunId);
};
