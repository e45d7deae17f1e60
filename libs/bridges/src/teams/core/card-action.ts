/** Reads what somebody pressed on a card, from new clients and from old ones. */
import { refuse, ok, type Result } from '@triptych/protocol';
import type { Activity } from './activity.js';
import { type Verb, verbName } from './adaptive-card.js';

type Data = Readonly<Record<string, unknown>>;

export interface CardAction {
  /** An invoke is answered with a card, a message by changing it. */
  readonly manner: 'invoke' | 'message';
  readonly verb: Verb;
  /** What stood in the button. */
  readonly value: string;
  /** What was put in. */
  readonly data: Data;
}

export const CARD_INVOKE = 'adaptiveCard/action';
const VERBS: readonly Verb[] = ['approve', 'reject', 'respond', 'claim', 'refresh'];

const isBag = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const invalid = (message: string, pointer: string): Result<never> =>
  refuse('INVALID_INPUT', { message, details: { pointer } });

const actionFrom = (manner: CardAction['manner'], verbText: unknown, data: unknown): Result<CardAction> => {
  const verb = VERBS.find((one) => verbName(one) === verbText);
  if (verb === undefined) return invalid('This card action has no verb of ours.', '/value/action/verb');
  if (!isBag(data) || typeof data.t !== 'string')
    return invalid('This card action does not say which task it is about.', '/value/action/data/t');
  return ok({ manner, verb, value: data.t, data });
};

/** undefined: it is no card action at all. */
export const cardActionIn = ({ type, name, text, value }: Activity): Result<CardAction> | undefined => {
  if (type === 'invoke' && name === CARD_INVOKE) {
    const action = isBag(value) ? value.action : undefined;
    if (!isBag(action)) return invalid('This card action is empty.', '/value/action');
    return actionFrom('invoke', action.verb, action.data);
  }
  if (type === 'message' && text.trim() === '' && isBag(value))
    return actionFrom('message', value.verb, value);
  return undefined;
};
