/** The last question before an approval goes out: what it would do, with the amount on the button. */
import { Icon } from '../shared/icon.js';
import { Key, Ring } from '../shared/marks.js';
import { useSurface } from '../shared/surface-context.js';
import type { Money } from './core/stake.js';
import { moneyWords } from './money-words.js';
import { useDeskText } from './texts.js';

interface SureRowProps {
  readonly question: string;
  /** What would be approved; it stands on the button. */
  readonly sums: readonly Money[];
  /** The words of the button when there is no amount. */
  readonly approve: string;
  readonly approveKey: string;
  readonly busy: boolean;
  readonly onBack: () => void;
}

export const SureRow = ({ question, sums, approve, approveKey, busy, onBack }: SureRowProps) => {
  const t = useDeskText();
  const { formats } = useSurface();
  const amount = moneyWords(sums, formats);
  return (
    <>
      <p className="claim">
        <Icon name="ask" />
        <span>{question}</span>
      </p>
      <button type="button" className="btn ghost" onClick={onBack}>
        {t('r.back.short')} <Key>Esc</Key>
      </button>
      <button type="submit" className="btn primary grow-m" autoFocus aria-disabled={busy || undefined}>
        {busy && <Ring />}
        {amount === undefined ? approve : t('r.approve.amount', { amount })} <Key>{approveKey}</Key>
      </button>
    </>
  );
};
