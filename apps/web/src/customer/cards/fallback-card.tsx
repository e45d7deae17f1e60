/** Stands for a card that cannot be shown, and offers what it says as text. */
import { useState } from 'react';
import type { CardValue } from '../core/cards.js';
import { useCustomerText } from '../texts.js';
import { CardFrame } from './card-frame.js';

const titleOf = (component: string): string => {
  const words = component
    .replace(/[-_./]+/g, ' ')
    .trim()
    .slice(0, 60);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const FallbackCard = ({ card, why }: { card: CardValue; why: 'unknown' | 'invalid' }) => {
  const t = useCustomerText();
  const [open, setOpen] = useState(false);
  const details = card.text && (
    <button type="button" className="btn link t-12" aria-expanded={open} onClick={() => setOpen(!open)}>
      {t('c.card.text')}
    </button>
  );
  return (
    <CardFrame
      title={titleOf(card.component)}
      className="plain"
      aside={<span className="chip">{t('c.card.cannot')}</span>}
      footer={details}
    >
      <p className="c2">{t(why === 'unknown' ? 'c.card.unknown' : 'c.card.invalid')}</p>
      {open && <p className="card-text">{card.text}</p>}
    </CardFrame>
  );
};
