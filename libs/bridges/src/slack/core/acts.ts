/** Names what people do with cards, and how what is said to them is written. */
import type { KnownBlock } from '@slack/types';

/** In the order of a card's buttons. */
export const CARD_ACTS = ['approve', 'reject', 'respond', 'edit', 'claim'] as const;
export type CardAct = (typeof CARD_ACTS)[number];

/** Every name of an action is this and the act. */
export const ACTION_PREFIX = 'tt.';
/** A link, which Slack tells of all the same. */
export const OPEN_ACTION = `${ACTION_PREFIX}open`;

export interface Said {
  /** For notifications and readers who see no blocks. */
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
}
