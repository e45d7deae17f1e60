/** The queues of the desk, with how much is in each. */
import { Icon, type IconName } from '../shared/icon.js';
import { Mark } from '../shared/marks.js';
import { readableName } from '../shared/readable-name.js';
import { useNow } from '../shared/use-now.js';
import { useSharedText } from '../shared/use-shared-text.js';
import { LanguageSwitch, useMe, WhoAmI } from '../shared/who-am-i.js';
import { countIn, groupsIn, QUEUES, type Queue, type QueueName } from './core/queue.js';
import { useDeskText } from './texts.js';

const MINUTE = 60_000;
const ICONS: Readonly<Record<(typeof QUEUES)[number], IconName>> = {
  open: 'inbox',
  mine: 'user',
  hour: 'clock',
  over: 'alert',
};

interface QueueNavProps {
  readonly queue: Queue;
  readonly current: QueueName;
  readonly onPick: (name: QueueName) => void;
  readonly onShut: () => void;
}

interface LinkProps {
  readonly name: QueueName;
  readonly label: string;
  readonly icon: IconName;
  readonly count: number;
  readonly current: boolean;
  readonly onPick: (name: QueueName) => void;
}

const Link = ({ name, label, icon, count, current, onPick }: LinkProps) => (
  <button type="button" aria-current={current ? 'page' : undefined} onClick={() => onPick(name)}>
    <Icon name={icon} />
    <span className="cut">{label}</span>
    <span className={name === 'over' && count > 0 ? 'count bad' : 'count'}>{count}</span>
  </button>
);

export const QueueNav = ({ queue, current, onPick, onShut }: QueueNavProps) => {
  const t = useDeskText();
  const x = useSharedText();
  const me = useMe();
  const now = useNow(MINUTE);
  const link = (name: QueueName, label: string, icon: IconName) => (
    <Link
      key={name}
      name={name}
      label={label}
      icon={icon}
      count={countIn(queue, name, { me, now })}
      current={name === current}
      onPick={onPick}
    />
  );
  const groups = groupsIn(queue);
  return (
    <nav
      className="rv-nav"
      aria-label={t('r.queues')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onShut();
      }}
    >
      <div className="rv-brand">
        <Mark />
        {t('r.brand')}
        <button type="button" className="btn ghost icon shut" aria-label={x('x.close')} onClick={onShut}>
          <Icon name="x" />
        </button>
      </div>
      {QUEUES.map((name) => link(name, t(`r.queue.${name}`), ICONS[name]))}
      {groups.length > 0 && <h2>{t('r.groups')}</h2>}
      {groups.map((group) => link(`group:${group}`, readableName(group), 'users'))}
      <div className="rv-me">
        <WhoAmI />
        <LanguageSwitch />
      </div>
    </nav>
  );
};
