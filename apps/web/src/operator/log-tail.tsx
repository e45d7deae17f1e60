/** The last line of the log: what is going on at its end. */
import type { ThreadStatus } from '@triptych/protocol';
import { Icon } from '../shared/icon.js';
import { Ring } from '../shared/marks.js';
import { useSurface } from '../shared/surface-context.js';
import { useNow } from '../shared/use-now.js';
import { useConsoleText } from './texts.js';

const SECOND = 1_000;

export interface TailProps {
  /** In the past nothing follows. */
  readonly status: ThreadStatus | 'past' | undefined;
  /** When the last event was stored. */
  readonly since: number | undefined;
  readonly hidden: number;
}

export const LogTail = ({ status, since, hidden }: TailProps) => {
  const t = useConsoleText();
  const { formats } = useSurface();
  const waiting = status === 'waiting';
  const now = useNow(SECOND, waiting);
  const words = () => {
    if (waiting && since !== undefined)
      return t('o.tail.waiting', { t: formats.span(Math.max(0, now - since)) });
    if (status === 'past') return t('o.tail.past');
    return t(status === 'running' ? 'o.tail.running' : 'o.tail.idle');
  };
  return (
    <div className="tail" role="row">
      <span role="gridcell" className="st">
        {status === 'running' ? <Ring /> : <Icon name={waiting ? 'hourglass' : 'circle'} />}
        {words()}
        {hidden > 0 && <span className="c3"> · {t('o.hidden', { n: formats.number(hidden) })}</span>}
      </span>
    </div>
  );
};
