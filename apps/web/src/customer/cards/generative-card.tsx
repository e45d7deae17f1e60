/** Draws a card from the registry, or says why it does not. */
import { memo } from 'react';
import type { CardValue } from '../core/cards.js';
import { AccountCard } from './account-card.js';
import { AllocationCard } from './allocation-card.js';
import { readFacts } from './card-facts.js';
import { FallbackCard } from './fallback-card.js';
import { GrowthCard } from './growth-card.js';
import { IdentityCard } from './identity-card.js';

export const GenerativeCard = memo(({ card }: { card: CardValue }) => {
  const read = readFacts(card);
  switch (read.kind) {
    case 'identity-result':
      return <IdentityCard facts={read.facts} />;
    case 'allocation':
      return <AllocationCard facts={read.facts} />;
    case 'growth':
      return <GrowthCard facts={read.facts} />;
    case 'account-opened':
      return <AccountCard facts={read.facts} />;
    default:
      return <FallbackCard card={card} why={read.kind} />;
  }
});
