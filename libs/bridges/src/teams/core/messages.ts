/** The messages that leave for Teams. */
import { type AdaptiveCard, CARD_TYPE } from './adaptive-card.js';

const attached = (card: AdaptiveCard): readonly object[] => [{ contentType: CARD_TYPE, content: card }];

/** `summary` is what a notification shows. */
export const cardMessage = (card: AdaptiveCard): object => ({
  type: 'message',
  summary: card.fallbackText,
  attachments: attached(card),
});

/** Our own words, which hold no markup. */
export const textMessage = (text: string): object => ({ type: 'message', text, textFormat: 'plain' });

/** As the workflows of Teams take it. */
export const workflowMessage = (card: AdaptiveCard): object => ({
  type: 'message',
  attachments: attached(card),
});
