/** The queues of the desk, with how much is in each. */
import { Icon, type IconName } from '../shared/icon.js';
import { Mark } from '../shared/marks.js';
import { PaletteButton } from '../shared/palette/palette-host.js';
import { readableName } from '../shared/readable-name.js';
import { useSurface } from '../shared/surface-context.js';
import { useSharedText } from '../shared/use-shared-text.js';
import { LanguageSwitch, WhoAmI } from '../shared/who-am-i.js';
import { CLOSED_QUEUES, QUEUES, type QueueName } from './core/desk-question.js';
import { useDeskText } from './texts.js';
import type { Facets } from './use-facets.js';

const ICONS: Readonly<Record<(typeof QUEUES | typeof CLOSED_QUEUES)[number], IconName>> = {
  open: 'inbox',
  mine: 'user',
  hour: 'clock',
  over: 'alert',
  decided: 'check',
  lapsed: 'archive',
};
const COUNTS = { open: 'open', mine: 'mine', hour: 'soon', over: 'over' } as const;

interface QueueNavProps {
  /** undefined: not known yet. */
  readonly facets: Facets | undefined;
  readonly current: QueueName;
  readonly onPick: (name: QueueName) => void;
  readonly onShut: () => void;
  readonly onKeys: () => void;
}

interface LinkProps {
  readonly name: QueueName;
  readonly label: string;
  readonly icon: IconName;
  readonly count: number | undefined;
  readonly current: boolean;
  readonly onPick: (name: QueueName) => void;
}

const Link = ({ name, label, icon, count, current, onPick }: LinkProps) => {
  const { formats } = useSurface();
  return (
    <button type="button" aria-current={current ? 'page' : undefined} onClick={() => onPick(name)}>
      <Icon name={icon} />
      <span className="cut">{label}</span>
      {count !== undefined && (
        <span className={name === 'over' && count > 0 ? 'count bad' : 'count'}>{formats.number(count)}</span>
      )}
    </button>
  );
};

export const QueueNav = ({ facets, current, onPick, onShut, onKeys }: QueueNavProps) => {
  const t = useDeskText();
  const x = useSharedText();
  const link = (one: Pick<LinkProps, 'name' | 'label' | 'icon' | 'count'>) => (
    <Link key={one.name} {...one} onPick={onPick} current={one.name === current} />
  );
  const fixed = (name: keyof typeof ICONS) => ({ name, label: t(`r.queue.${name}`), icon: ICONS[name] });
  const groups = Object.entries(facets?.groups ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
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
        <button
          type="button"
          className="btn ghost sm icon keys-open"
          aria-label={t('r.keys')}
          title={t('r.keys')}
          onClick={onKeys}
        >
          <Icon name="sliders" />
        </button>
        <button type="button" className="btn ghost icon shut" aria-label={x('x.close')} onClick={onShut}>
          <Icon name="x" />
        </button>
      </div>
      <PaletteButton hint={t('r.palette')} />
      {QUEUES.map((name) => link({ ...fixed(name), count: facets?.[COUNTS[name]] }))}
      {groups.length > 0 && <h2>{t('r.groups')}</h2>}
      {groups.map(([group, count]) =>
        link({ name: `group:${group}`, label: readableName(group), icon: 'users', count }),
      )}
      <h2>{t('r.closed')}</h2>
      {CLOSED_QUEUES.map((name) => link({ ...fixed(name), count: undefined }))}
      <div className="rv-me">
        <WhoAmI />
        <LanguageSwitch />
      </div>
    </nav>
  );
};
