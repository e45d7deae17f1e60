/** What an invoke is answered with, always inside a response that says 200. */
import { httpStatusOf, type Refusal } from '@triptych/protocol';
import { type AdaptiveCard, CARD_TYPE } from './adaptive-card.js';

export type InvokeAnswer =
  | { readonly statusCode: 200; readonly type: typeof CARD_TYPE; readonly value: AdaptiveCard }
  | {
      readonly statusCode: 200;
      readonly type: 'application/vnd.microsoft.activity.message';
      readonly value: string;
    }
  | {
      readonly statusCode: 400 | 500;
      readonly type: 'application/vnd.microsoft.error';
      readonly value: { readonly code: string; readonly message: string };
    };

/** Replaces the card, for this person. */
export const withCard = (card: AdaptiveCard): InvokeAnswer => ({
  statusCode: 200,
  type: CARD_TYPE,
  value: card,
});

/** Is shown below the card, which stays. */
export const withMessage = (text: string): InvokeAnswer => ({
  statusCode: 200,
  type: 'application/vnd.microsoft.activity.message',
  value: text,
});

/** Below this the asker can do something about it. */
const OURS = 500;

/** Inputs stay as they were put in. */
export const withError = ({ code, message }: Refusal): InvokeAnswer => ({
  statusCode: httpStatusOf(code) < OURS ? 400 : 500,
  type: 'application/vnd.microsoft.error',
  value: { code, message },
});
