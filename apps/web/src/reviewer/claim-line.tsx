/** Who holds the task, for how long, and what the reader can do about it. */
import type { TaskView } from '@triptych/protocol';
import { Icon } from '../shared/icon.js';
import { Key } from '../shared/marks.js';
import { Notice } from '../shared/notice.js';
import { firstNameOf, nameOf } from '../shared/personas.js';
import { useNow } from '../shared/use-now.js';
import { useMe } from '../shared/who-am-i.js';
import { holderOf } from './core/task-words.js';
import { useDeskText } from './texts.js';
import type { Acts } from './use-acts.js';

/** Below this the end of a claim needs an eye. */
const ENDING_MS = 30_000;
const SECOND = 1_000;

const minutes = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / SECOND));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

interface ClaimLineProps {
  readonly task: TaskView;
  readonly acts: Acts;
  readonly onTakeover: () => void;
  /** Said beside the claim where there is room. */
  readonly note?: string;
}

interface MineProps extends Pick<ClaimLineProps, 'acts'> {
  readonly left: number;
  readonly mayRelease: boolean;
  readonly note: string;
}

const Mine = ({ left, acts, mayRelease, note }: MineProps) => {
  const t = useDeskText();
  const ending = left <= ENDING_MS;
  return (
    <>
      <span>
        <span className="w5">
          {ending
            ? t('r.claim.ends', { s: Math.ceil(left / SECOND) })
            : t('r.claim.mine', { t: minutes(left) })}
        </span>
        {!ending && <span className="c3 wide-only"> · {note}</span>}
      </span>
      {ending && (
        <button type="button" className="btn link t-12" onClick={() => void acts.claim()}>
          {t('r.claim.keep')}
        </button>
      )}
      {mayRelease && (
        <button type="button" className="btn link t-12" onClick={() => void acts.release()}>
          {t('r.release')}
        </button>
      )}
    </>
  );
};

export const ClaimLine = ({ task, acts, onTakeover, note }: ClaimLineProps) => {
  const t = useDeskText();
  const me = useMe();
  const now = useNow(SECOND, task.claim !== undefined);
  const holder = holderOf(task, me, now);
  return (
    <div className="claim">
      <Icon name="user" />
      {holder.kind === 'mine' && (
        <Mine
          left={holder.until - now}
          acts={acts}
          mayRelease={task.may.includes('release')}
          note={note ?? t('r.claim.renews')}
        />
      )}
      {holder.kind === 'other' && (
        <>
          <span className="w5">{t('r.claim.other', { name: firstNameOf(holder.by) })}</span>
          {task.may.includes('takeover') && (
            <button type="button" className="btn link t-12" onClick={onTakeover}>
              {t('r.takeover')}
            </button>
          )}
        </>
      )}
      {holder.kind === 'free' && (
        <>
          <span className="c3 cut">{t('r.claim.free')}</span>
          {task.may.includes('claim') && (
            <button type="button" className="btn link t-12" onClick={() => void acts.claim()}>
              {t('r.claim')} <Key>G</Key>
            </button>
          )}
        </>
      )}
    </div>
  );
};

/** Someone took the task over while a text for it was being written. */
export const TakenNotice = ({ task, now }: { task: TaskView; now: number }) => {
  const t = useDeskText();
  const me = useMe();
  const holder = holderOf(task, me, now);
  if (holder.kind !== 'other') return null;
  return (
    <Notice tone="info" icon="user">
      <p>{t('r.claim.lost', { name: nameOf(holder.by) })}</p>
    </Notice>
  );
};
