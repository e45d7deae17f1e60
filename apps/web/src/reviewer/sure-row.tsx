/** The last question before an approval goes out: what it would do, with the amount on the button. */
import { Icon } from '../shared/icon.js';
import { Key, Ring } from '../shared/marks.js';
import { useSurface } from '../shared/surface-context.js';
import { stakeOf } from './core/stake.js';
import { useDeskText } from './texts.js';
import type { TaskDesk } from './use-task-desk.js';

interface SureRowProps {
  readonly desk: TaskDesk;
  readonly question: string;
  /** What would be approved; its amount, when it has one, stands on the button. */
  readonly args: unknown;
  /** The words of the button when there is no amount. */
  readonly approve: string;
  readonly approveKey: string;
  readonly back: 'look' | 'edit';
}

export const SureRow = ({ desk, question, args, approve, approveKey, back }: SureRowProps) => {
  const t = useDeskText();
  const { formats } = useSurface();
  const stake = stakeOf(args);
  return (
    <>
      <p className="claim">
        <Icon name="ask" />
        <span>{question}</span>
      </p>
      <button type="button" className="btn ghost" onClick={() => desk.setMode(back)}>
        {t('r.back.short')} <Key>Esc</Key>
      </button>
      <button
        type="submit"
        className="btn primary grow-m"
        autoFocus
        aria-disabled={desk.acts.busy || undefined}
      >
        {desk.acts.busy && <Ring />}
        {stake === undefined
          ? approve
          : t('r.approve.amount', { amount: formats.money(stake.value, stake.currency) })}{' '}
        <Key>{approveKey}</Key>
      </button>
    </>
  );
};
