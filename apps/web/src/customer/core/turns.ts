/** Turns a conversation's model into what is read: turns of text, work and cards. */
import type { Interrupt, Message, ToolCall } from '@triptych/protocol';
import { textOf } from '../../shared/plain-text.js';
import { callOutcome, type CallOutcome, type CallResult } from './call-result.js';
import { CARD_NAME, readCard, type CardValue } from './cards.js';

/** `over`: the run is over and said nothing of the call. */
export type ToolStepState = CallResult | 'running' | 'adviser' | 'you' | 'unclear' | 'stopped' | 'over';

export interface ToolStep {
  readonly id: string;
  readonly label: string;
  readonly state: ToolStepState;
}

/** Work that an adviser was asked about. `answered`: there is a result, but it does not say which. */
export interface HeldCall {
  readonly id: string;
  readonly label: string;
  readonly state: ToolStepState | 'answered';
  /** As far as the customer may see them. */
  readonly args: unknown;
  /** Why not, in the adviser's words. */
  readonly reason?: string;
  readonly ref?: string;
}

/** What is remembered of a call that waited for an adviser. */
export interface HeldBefore {
  readonly ref?: string;
}

export type TurnPart =
  | { readonly kind: 'text'; readonly id: string; readonly text: string; readonly streaming: boolean }
  | { readonly kind: 'steps'; readonly id: string; readonly steps: readonly ToolStep[] }
  | { readonly kind: 'held'; readonly id: string; readonly call: HeldCall }
  | { readonly kind: 'card'; readonly id: string; readonly card: CardValue };

export type Turn =
  | { readonly who: 'you'; readonly id: string; readonly text: string }
  | { readonly who: 'assistant'; readonly id: string; readonly parts: readonly TurnPart[] };

/** What a tool call without a result means, by how its run stands. */
export type Unanswered = Exclude<ToolStepState, CallResult>;

export interface Conversation {
  readonly messages: readonly Message[];
  readonly openTexts: ReadonlySet<string>;
  /** Of the last exchange; work of earlier ones is over. */
  readonly unanswered: Unanswered;
  /** Calls that are known to have waited for an adviser. */
  readonly heldBefore: ReadonlyMap<string, HeldBefore>;
  readonly cards: readonly PlacedCard[];
}

/** A kept CUSTOM card and the message it came after; undefined: it came before any. */
export interface PlacedCard {
  readonly card: CardValue;
  readonly after: string | undefined;
}

type Outcomes = ReadonlyMap<string, CallOutcome>;

const outcomesOf = (messages: readonly Message[]): Outcomes =>
  new Map(
    messages.flatMap((message) =>
      message.role === 'tool' ? [[message.toolCallId, callOutcome(message)] as const] : [],
    ),
  );

const stepOf = (call: ToolCall, outcomes: Outcomes, unanswered: Unanswered): ToolStep => ({
  id: call.id,
  label: call.function.name,
  state: outcomes.get(call.id)?.result ?? unanswered,
});

const argsOf = (call: ToolCall): unknown => {
  try {
    return JSON.parse(call.function.arguments) as unknown;
  } catch {
    // The agent's own slip: there is nothing to show by name.
    return undefined;
  }
};

const heldOf = (call: ToolCall, outcomes: Outcomes, unanswered: Unanswered): HeldCall => {
  const step = stepOf(call, outcomes, unanswered);
  const outcome = outcomes.get(call.id);
  return {
    ...step,
    state: step.state === 'done' && outcome?.named !== true ? 'answered' : step.state,
    args: argsOf(call),
    ...(outcome?.reason === undefined ? {} : { reason: outcome.reason }),
  };
};

/** Work that follows work is one list. */
const joined = (parts: readonly TurnPart[], next: readonly TurnPart[]): readonly TurnPart[] => {
  const result = [...parts];
  for (const part of next) {
    const last = result.at(-1);
    if (part.kind === 'steps' && last?.kind === 'steps') {
      result[result.length - 1] = { ...last, steps: [...last.steps, ...part.steps] };
    } else {
      result.push(part);
    }
  }
  return result;
};

export const turnsOf = (conversation: Conversation, attachment: string): readonly Turn[] => {
  const outcomes = outcomesOf(conversation.messages);
  const turns: Turn[] = [];
  const say = (id: string, parts: readonly TurnPart[]) => {
    if (parts.length === 0) return;
    const last = turns.at(-1);
    if (last?.who === 'assistant') turns[turns.length - 1] = { ...last, parts: joined(last.parts, parts) };
    else turns.push({ who: 'assistant', id, parts });
  };
  const sayCards = (id: string, belongs: (after: string | undefined) => boolean) => {
    const cards = conversation.cards.filter(({ after }) => belongs(after));
    say(
      id,
      cards.map(({ card }) => ({ kind: 'card', id: card.id, card })),
    );
  };
  sayCards('cards-before', (after) => after === undefined);
  const lastAsked = conversation.messages.findLastIndex((message) => message.role === 'user');
  conversation.messages.forEach((message, index) => {
    const unanswered = index > lastAsked ? conversation.unanswered : 'over';
    if (message.role === 'user')
      turns.push({ who: 'you', id: message.id, text: textOf(message.content, attachment) });
    else say(message.id, partsOf(message, { ...conversation, unanswered }, outcomes));
    sayCards(message.id, (after) => after === message.id);
  });
  const known = new Set(conversation.messages.map((message) => message.id));
  sayCards('cards', (after) => after !== undefined && !known.has(after));
  return turns;
};

const partsOf = (message: Message, conversation: Conversation, outcomes: Outcomes): readonly TurnPart[] => {
  if (message.role === 'activity') return activityPart(message.activityType, message.content);
  if (message.role !== 'assistant') return [];
  const streaming = conversation.openTexts.has(message.id);
  const text = textOf(message.content, '');
  const { steps, held } = workIn(message.toolCalls ?? [], conversation, outcomes);
  return [
    ...(text === '' && !streaming ? [] : [{ kind: 'text' as const, id: message.id, text, streaming }]),
    ...(steps.length === 0 ? [] : [{ kind: 'steps' as const, id: `${message.id}/steps`, steps }]),
    ...held.map((call) => ({ kind: 'held' as const, id: call.id, call })),
  ];
};

/** What waits for an adviser is told by the panel below alone; what waited keeps a place of its own. */
const workIn = (
  calls: readonly ToolCall[],
  { heldBefore, unanswered }: Conversation,
  outcomes: Outcomes,
): { readonly steps: readonly ToolStep[]; readonly held: readonly HeldCall[] } => {
  const told = calls.filter(({ id }) => !waitsIn(id, outcomes, unanswered));
  return {
    steps: told.filter(({ id }) => !heldBefore.has(id)).map((call) => stepOf(call, outcomes, unanswered)),
    held: told
      .filter(({ id }) => heldBefore.has(id))
      .map((call) => ({ ...heldOf(call, outcomes, unanswered), ...heldBefore.get(call.id) })),
  };
};

const waitsIn = (id: string, outcomes: Outcomes, unanswered: Unanswered): boolean =>
  unanswered === 'adviser' && !outcomes.has(id);

/** What an adviser is asked about just now: the calls of the last exchange that have no result, save those the customer is asked about. */
export const waitingCalls = (
  messages: readonly Message[],
  questions: readonly Interrupt[],
): readonly HeldCall[] => {
  const own = new Set(questions.map(({ toolCallId }) => toolCallId));
  const outcomes = outcomesOf(messages);
  const lastAsked = messages.findLastIndex((message) => message.role === 'user');
  return messages
    .slice(lastAsked + 1)
    .flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
    .filter(({ id }) => waitsIn(id, outcomes, 'adviser') && !own.has(id))
    .map((call) => heldOf(call, outcomes, 'adviser'));
};

const activityPart = (type: string, content: unknown): readonly TurnPart[] => {
  const card = type === CARD_NAME ? readCard(content) : undefined;
  return card === undefined ? [] : [{ kind: 'card', id: card.id, card }];
};
