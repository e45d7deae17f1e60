/** Says inline who, what and when, after an act was refused; never a dialog. */
import type { IconName } from '../shared/icon.js';
import { Notice } from '../shared/notice.js';
import { useSurface } from '../shared/surface-context.js';
import { useConflictWords } from './conflict-words.js';
import { isFinal, type Attempt, type Conflict } from './core/conflict.js';
import { useDeskText } from './texts.js';

const LOOKS: Readonly<Record<Conflict['kind'], readonly [tone: 'info' | 'bad' | 'plain', icon: IconName]>> = {
  decided: ['info', 'users'],
  claimed: ['info', 'user'],
  stale: ['info', 'refresh'],
  expired: ['plain', 'clock'],
  invalid: ['bad', 'alert'],
  unrecorded: ['bad', 'server'],
  refused: ['bad', 'lock'],
};

interface ConflictNoticeProps {
  readonly attempt: Attempt;
  readonly now: number;
  /** Something was written that is still there. */
  readonly kept: boolean;
}

export const ConflictNotice = ({ attempt, now, kept }: ConflictNoticeProps) => {
  const t = useDeskText();
  const { formats } = useSurface();
  const words = useConflictWords();
  const { conflict } = attempt;
  const [tone, icon] = LOOKS[conflict.kind];
  const said = [words(attempt, now), ...(kept && isFinal(conflict) ? [t('r.conf.kept')] : [])];
  return (
    <Notice tone={tone} icon={icon}>
      <p>{formats.sentences(said)}</p>
    </Notice>
  );
};
