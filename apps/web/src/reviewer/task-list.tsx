/** The list: search, new ones behind a count, rows that change in place. */
import type { TaskView } from '@triptych/protocol';
import { useEffect, type RefObject } from 'react';
import { ConnectionLine } from '../shared/connection-line.js';
import { Icon } from '../shared/icon.js';
import { Key } from '../shared/marks.js';
import { useNow } from '../shared/use-now.js';
import { useMe } from '../shared/who-am-i.js';
import { sectionOf, type Section } from './core/queue.js';
import { TaskRow } from './task-row.js';
import { useDeskText } from './texts.js';
import type { Picks } from './use-picks.js';
import type { DeskQueue } from './use-queue.js';

const MINUTE = 60_000;

interface TaskListProps {
  readonly title: string;
  readonly desk: DeskQueue;
  readonly tasks: readonly TaskView[];
  readonly selected: string | undefined;
  readonly picks: Picks;
  readonly search: string;
  readonly searchRef: RefObject<HTMLInputElement | null>;
  readonly rowsRef: RefObject<HTMLDivElement | null>;
  readonly onSearch: (text: string) => void;
  readonly onPick: (taskId: string) => void;
  readonly onMenu: () => void;
  readonly onKeys: () => void;
  /** To the picked ones, where they have no room beside the list. */
  readonly onDecide: () => void;
}

const SECTION_TEXT = {
  over: 'r.section.over',
  hour: 'r.section.hour',
  later: 'r.section.later',
  none: 'r.section.none',
} as const satisfies Record<Section, string>;

const sectionsOf = (
  tasks: readonly TaskView[],
  at: number,
): readonly { section: Section; tasks: TaskView[] }[] =>
  tasks.reduce<{ section: Section; tasks: TaskView[] }[]>((sections, task) => {
    const section = sectionOf(task, at);
    const last = sections.at(-1);
    if (last?.section === section) last.tasks.push(task);
    else sections.push({ section, tasks: [task] });
    return sections;
  }, []);

const Rows = ({
  desk,
  tasks,
  selected,
  picks,
  rowsRef,
  onPick,
}: Pick<TaskListProps, 'desk' | 'tasks' | 'selected' | 'picks' | 'rowsRef' | 'onPick'>) => {
  const t = useDeskText();
  const me = useMe();
  const now = useNow(MINUTE);
  useEffect(() => {
    if (selected !== undefined)
      document.getElementById(`row-${selected}`)?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  return (
    <div
      className="rv-rows"
      ref={rowsRef}
      role="listbox"
      aria-multiselectable={picks.picking || undefined}
      tabIndex={0}
      aria-label={t('r.queue.open')}
      aria-activedescendant={selected === undefined ? undefined : `row-${selected}`}
      id="tasks"
    >
      {sectionsOf(tasks, desk.laidOutAt).map(({ section, tasks: within }) => (
        <div role="group" aria-label={t(SECTION_TEXT[section])} key={section}>
          <h2 aria-hidden="true">
            {section === 'over' && <Icon name="alert" className="sm" />}
            {t(SECTION_TEXT[section])} · {within.length}
          </h2>
          {within.map((task) => (
            <TaskRow
              key={task.taskId}
              task={task}
              selected={task.taskId === selected}
              gone={desk.queue.gone.has(task.taskId)}
              picked={picks.picking ? picks.ids.has(task.taskId) : undefined}
              me={me}
              now={now}
              onPick={onPick}
              onToggle={picks.toggle}
            />
          ))}
        </div>
      ))}
    </div>
  );
};

const Nothing = ({ phase, searching }: { phase: DeskQueue['phase']; searching: boolean }) => {
  const t = useDeskText();
  if (phase === 'joining') {
    return (
      <div className="rv-rows">
        {[72, 58, 66].map((width) => (
          <div className="task" key={width} aria-hidden="true">
            <div className="sk wide">
              <i />
              <i className="short" />
            </div>
          </div>
        ))}
      </div>
    );
  }
  return (
    <div className="rv-rows">
      <div className="emptyx">
        <Icon name={searching ? 'search' : 'check'} />
        <b>{searching ? t('r.empty.filter') : t('r.empty')}</b>
        {!searching && <span>{t('r.empty.why')}</span>}
      </div>
    </div>
  );
};

const PickBar = ({ picks, onDecide }: { picks: Picks; onDecide: () => void }) => {
  const t = useDeskText();
  return (
    <div className="bulk">
      <span className="w5">{t('r.pick.count', { n: picks.ids.size })}</span>
      <button type="button" className="btn ghost sm" onClick={picks.end}>
        {t('r.pick.clear')} <Key>Esc</Key>
      </button>
      <button type="button" className="btn primary sm only-narrow decide" onClick={onDecide}>
        {t('r.pick.decide')}
      </button>
    </div>
  );
};

export const TaskList = (props: TaskListProps) => {
  const t = useDeskText();
  const { title, desk, tasks, picks, search, searchRef, onSearch, onMenu, onKeys, onDecide } = props;
  const fresh = desk.queue.fresh.length;
  return (
    <section className="rv-list" aria-label={title}>
      <div className="rv-lhead">
        <div className="top">
          <button
            type="button"
            className="btn ghost sm icon menu"
            aria-label={t('r.queues')}
            onClick={onMenu}
          >
            <Icon name="menu" />
          </button>
          <h1>{title}</h1>
          <span className="count grow">{tasks.length}</span>
          {tasks.length > 0 && (
            <button
              type="button"
              className="btn ghost sm"
              aria-pressed={picks.picking}
              onClick={picks.picking ? picks.end : picks.begin}
            >
              {t(picks.picking ? 'r.pick.end' : 'r.pick.start')}
            </button>
          )}
        </div>
        <label className="search">
          <Icon name="search" />
          <span className="sr">{t('r.search.label')}</span>
          <input
            ref={searchRef}
            className="input"
            type="search"
            value={search}
            placeholder={t('r.search')}
            onChange={(event) => onSearch(event.target.value)}
          />
          <Key>/</Key>
        </label>
        <ConnectionLine />
      </div>
      {fresh > 0 && (
        <button type="button" className="fresh" onClick={desk.showFresh}>
          {t('r.new', { n: fresh })} <span className="w6">{t('r.new.show')}</span>
        </button>
      )}
      {tasks.length === 0 ? (
        <Nothing phase={desk.phase} searching={search.trim() !== ''} />
      ) : (
        <Rows {...props} />
      )}
      {picks.ids.size > 0 && <PickBar picks={picks} onDecide={onDecide} />}
      <div className="keys">
        <span>
          <Key>J</Key>
          <Key>K</Key> {t('r.keys.move')}
        </span>
        <span>
          <Key>X</Key> {t('r.keys.pick')}
        </span>
        <span>
          <Key>↵</Key> {t('r.keys.open')}
        </span>
        <button type="button" className="btn link" onClick={onKeys}>
          <Key>?</Key> {t('r.keys.all')}
        </button>
      </div>
    </section>
  );
};
