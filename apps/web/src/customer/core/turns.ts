/** Turns a conversation's model into what is read: turns of text, work and cards. */
import type { Message, ToolCall } from '@triptych/protocol';
import { textOf } from '../../shared/plain-text.js';
import { callResult, type CallResult } from './call-result.js';
import { CARD_NAME, readCard, type CardValue } from './cards.js';

/** `over`: the run is over and said nothing of the call. */
export type ToolStepState = CallResult | 'running' | 'adviser' | 'you' | 'unclear' | 'stopped' | 'over';

export interface ToolStep {
  readonly id: string;
  readonly label: string;
  readonly state: ToolStepState;
}

export type TurnPart =
  | { readonly kind: 'text'; readonly id: string; readonly text: string; readonly streaming: boolean }
  | { readonly kind: 'steps'; readonly id: string; readonly steps: readonly ToolStep[] }
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
  readonly cards: readonly PlacedCard[];
}

/** A kept CUSTOM card and the message it came after; undefined: it came before any. */
export interface PlacedCard {
  readonly card: CardValue;
  readonly after: string | undefined;
}

const resultsOf = (messages: readonly Message[]): ReadonlyMap<string, CallResult> =>
  new Map(
    messages.flatMap((message) =>
      message.role === 'tool' ? [[message.toolCallId, callResult(message)] as const] : [],
    ),
  );

const stepOf = (call: ToolCall, results: ReturnType<typeof resultsOf>, unanswered: Unanswered): ToolStep => ({
  id: call.id,
  label: call.function.name,
  state: results.get(call.id) ?? unanswered,
});

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
  const results = resultsOf(conversation.messages);
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
    else say(message.id, partsOf(message, { ...conversation, unanswered }, results));
    sayCards(message.id, (after) => after === message.id);
  });
  const known = new Set(conversation.messages.map((message) => message.id));
  sayCards('cards', (after) => after !== undefined && !known.has(after));
  return turns;
};

const partsOf = (
  message: Message,
  conversation: Conversation,
  results: ReturnType<typeof resultsOf>,
): readonly TurnPart[] => {
  if (message.role === 'activity') return activityPart(message.activityType, message.content);
  if (message.role !== 'assistant') return [];
  const streaming = conversation.openTexts.has(message.id);
  const text = textOf(message.content, '');
  const steps = (message.toolCalls ?? []).map((call) => stepOf(call, results, conversation.unanswered));
  return [
    ...(text === '' && !streaming ? [] : [{ kind: 'text' as const, id: message.id, text, streaming }]),
    ...(steps.length === 0 ? [] : [{ kind: 'steps' as const, id: `${message.id}/steps`, steps }]),
  ];
};

const activityPart = (type: string, content: unknown): readonly TurnPart[] => {
  const card = type === CARD_NAME ? readCard(content) : undefined;
  return card === undefined ? [] : [{ kind: 'card', id: card.id, card }];
};
