/** How a run, sub-agent or call stands: a glyph, and its word for who does not see it. */
import { Icon, type IconName } from '../../shared/icon.js';
import { Ring } from '../../shared/marks.js';
import type { RunNode, Standing } from '../core/run-tree.js';
import { useRunsText } from './texts.js';

const SIGNS: Readonly<Record<Exclude<Standing, 'running'>, { icon: IconName; tone: string }>> = {
  done: { icon: 'check', tone: 'ok' },
  waiting: { icon: 'hourglass', tone: 'wait' },
  failed: { icon: 'x', tone: 'bad' },
  cancelled: { icon: 'stop', tone: '' },
  suspended: { icon: 'pause', tone: 'wait' },
  unanswered: { icon: 'ask', tone: 'bad' },
};

export const StandingGlyph = ({ node: { standing, kind } }: { node: RunNode }) => {
  const t = useRunsText();
  const sign = standing === 'running' ? undefined : SIGNS[standing];
  // A call that is done is told by what it is.
  const icon = kind === 'tool' && standing === 'done' ? 'bolt' : sign?.icon;
  return (
    <span className={`glyph ${kind === 'tool' && standing === 'done' ? '' : (sign?.tone ?? '')}`}>
      {icon === undefined ? <Ring /> : <Icon name={icon} />}
      <span className="sr">{t(`u.standing.${standing}`)}</span>
    </span>
  );
};

export const StandingChip = ({ standing }: { standing: Standing }) => {
  const t = useRunsText();
  const sign = standing === 'running' ? undefined : SIGNS[standing];
  return (
    <span className={`chip ${sign?.tone ?? 'live'}`}>
      {sign === undefined ? <Ring /> : <Icon name={sign.icon} />}
      {t(`u.standing.${standing}`)}
    </span>
  );
};
