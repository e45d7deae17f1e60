/** Tool calls: a call lives inside the message that carries it, and has that message's owner. */
import type { EventOf } from '../event-types.js';
import {
  claim,
  isOwned,
  ownerFault,
  ownerName,
  ownTold,
  takeOver,
  type Account,
  type Entity,
  type Owner,
} from './owners.js';
import type { RunGrammar } from './run-grammar.js';
import { violation, type Violation } from './violations.js';

type Start = EventOf<'TOOL_CALL_START'>;

const callOf = (id: string): Entity => ({ kind: 'toolCall', id });
const messageOf = (id: string): Entity => ({ kind: 'message', id });

/** The message a new call will stand in: its parent, or one made for it under the call's own id. */
const carrierOf = ({ parentMessageId, toolCallId }: Start): Entity =>
  messageOf(parentMessageId || toolCallId);

/** No tag means: whoever owns the message around it. */
const ownerBy = (account: Account, { subagentRunId, parentMessageId }: Start): Owner =>
  subagentRunId ?? (parentMessageId === undefined ? undefined : account.message.get(parentMessageId));

/** A call opened again stays in its first message; naming a parent of another owner would mislead about that. */
const movedFault = (account: Account, event: Start): Violation | undefined => {
  const { toolCallId, parentMessageId } = event;
  if (parentMessageId === undefined) return undefined;
  if (!account.toolCall.has(toolCallId) || !account.message.has(parentMessageId)) return undefined;
  const [call, parent] = [account.toolCall.get(toolCallId), account.message.get(parentMessageId)];
  if (call === parent) return undefined;
  return violation(
    'wrong-owner',
    `The tool call '${toolCallId}' belongs to ${ownerName(call)}, its parent message to ${ownerName(parent)}.`,
    '/parentMessageId',
  );
};

const startFault = ({ owners, toolCalls }: RunGrammar, event: Start): Violation | undefined => {
  const { toolCallId, subagentRunId } = event;
  if (toolCalls.has(toolCallId))
    return violation('already-open', `TOOL_CALL_START: the tool call '${toolCallId}' is open already.`);
  const isPlaced = event.parentMessageId !== undefined || !isOwned(owners, callOf(toolCallId));
  return (
    (isPlaced ? ownerFault(owners, carrierOf(event), subagentRunId) : undefined) ??
    ownerFault(owners, callOf(toolCallId), subagentRunId) ??
    movedFault(owners.seen, event) ??
    movedFault(owners.told, event)
  );
};

export const toolCallStart = (run: RunGrammar, event: Start): Violation | undefined => {
  const fault = startFault(run, event);
  if (fault) return fault;
  const { owners } = run;
  const call = callOf(event.toolCallId);
  if (!isOwned(owners, call)) ownTold(owners, carrierOf(event), ownerBy(owners.told, event));
  claim(owners.seen, call, ownerBy(owners.seen, event));
  claim(owners.told, call, ownerBy(owners.told, event));
  run.toolCalls.add(event.toolCallId);
  return undefined;
};

const goOn = (
  { owners, toolCalls }: RunGrammar,
  event: EventOf<'TOOL_CALL_ARGS'> | EventOf<'TOOL_CALL_END'>,
): Violation | undefined =>
  toolCalls.has(event.toolCallId)
    ? ownerFault(owners, callOf(event.toolCallId), event.subagentRunId)
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
  takeOver(run.owners, messageOf(event.messageId), event.subagentRunId);
};
