/** Text and reasoning: what is opened once, continued while open, and always by the same hand. */
import type { EventOf } from '../event-types.js';
import { isOwned, own, ownerFault, type Entity } from './owners.js';
import type { RunGrammar } from './run-grammar.js';
import { violation, type Violation } from './violations.js';

interface Opening {
  readonly open: Set<string>;
  readonly noun: string;
  readonly entity: Entity;
}

type Tagged = { readonly type: string; readonly subagentRunId?: string };

const textOf = (run: RunGrammar, id: string): Opening => ({
  open: run.text,
  noun: 'text message',
  entity: { kind: 'message', id },
});
const reasoningOf = (run: RunGrammar, id: string): Opening => ({
  open: run.reasoning,
  noun: 'reasoning message',
  entity: { kind: 'reasoning', id },
});
/** A span and the message in it may share an id: they are open each for itself, and have one owner. */
const spanOf = (run: RunGrammar, id: string): Opening => ({
  open: run.spans,
  noun: 'reasoning span',
  entity: { kind: 'reasoning', id },
});

const start = (run: RunGrammar, { open, noun, entity }: Opening, event: Tagged): Violation | undefined => {
  if (open.has(entity.id))
    return violation('already-open', `${event.type}: the ${noun} '${entity.id}' is open already.`);
  const fault = ownerFault(run.owners, entity, event.subagentRunId);
  if (fault) return fault;
  open.add(entity.id);
  own(run.owners, entity, event.subagentRunId);
  return undefined;
};

const goOn = (run: RunGrammar, { open, noun, entity }: Opening, event: Tagged): Violation | undefined =>
  open.has(entity.id)
    ? ownerFault(run.owners, entity, event.subagentRunId)
    : violation('not-open', `${event.type}: no ${noun} '${entity.id}' is open.`);

const end = (run: RunGrammar, opening: Opening, event: Tagged): Violation | undefined => {
  const fault = goOn(run, opening, event);
  if (!fault) opening.open.delete(opening.entity.id);
  return fault;
};

/** Text streamed into an activity would be lost without a word: readers drop it. */
const activityClash = (run: RunGrammar, id: string): Violation | undefined =>
  isOwned(run.owners, { kind: 'activity', id })
    ? violation('id-clash', `'${id}' is an activity, not a message.`, '/messageId')
    : undefined;

export const textStart = (run: RunGrammar, event: EventOf<'TEXT_MESSAGE_START'>): Violation | undefined =>
  activityClash(run, event.messageId) ?? start(run, textOf(run, event.messageId), event);

export const textContent = (run: RunGrammar, event: EventOf<'TEXT_MESSAGE_CONTENT'>): Violation | undefined =>
  goOn(run, textOf(run, event.messageId), event);

export const textEnd = (run: RunGrammar, event: EventOf<'TEXT_MESSAGE_END'>): Violation | undefined =>
  end(run, textOf(run, event.messageId), event);

export const spanStart = (run: RunGrammar, event: EventOf<'REASONING_START'>): Violation | undefined =>
  start(run, spanOf(run, event.messageId), event);

export const spanEnd = (run: RunGrammar, event: EventOf<'REASONING_END'>): Violation | undefined =>
  end(run, spanOf(run, event.messageId), event);

export const reasoningStart = (
  run: RunGrammar,
  event: EventOf<'REASONING_MESSAGE_START'>,
): Violation | undefined =>
  activityClash(run, event.messageId) ?? start(run, reasoningOf(run, event.messageId), event);

export const reasoningContent = (
  run: RunGrammar,
  event: EventOf<'REASONING_MESSAGE_CONTENT'>,
): Violation | undefined => goOn(run, reasoningOf(run, event.messageId), event);

export const reasoningEnd = (
  run: RunGrammar,
  event: EventOf<'REASONING_MESSAGE_END'>,
): Violation | undefined => end(run, reasoningOf(run, event.messageId), event);

/** The value continues its entity, open or closed; an entity nobody knows is tolerated. */
export const encryptedValue = (
  run: RunGrammar,
  { subtype, entityId: id, subagentRunId }: EventOf<'REASONING_ENCRYPTED_VALUE'>,
): Violation | undefined =>
  subtype === 'tool-call'
    ? ownerFault(run.owners, { kind: 'toolCall', id }, subagentRunId)
    : ownerFault(run.owners, { kind: 'message', id, orElse: 'reasoning' }, subagentRunId);
