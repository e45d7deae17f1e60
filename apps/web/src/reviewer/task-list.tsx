/** The list: search, new ones behind a count, rows that change in place. */
import type { TaskView } from '@triptych/protocol';
import { useEffect, type RefObject } from 'react';
import { Icon } from '../shared/icon.js';
import { Key } from '../shared/marks.js';
import { useSurface } from '../shared/surface-context.js';
import { useNow } from '../shared/use-now.js';
import { useMe } from '../shared/who-am-i.js';
import { FILTERS, isClosed, type DeskQuestion } from './core/desk-question.js';
import { sectionOf, type Section } from './core/queue.js';
import { ListHead } from './list-head.js';
import { TaskRow } from './task-row.js';
import { useDeskText } from './texts.js';
import type { Facets } from './use-facets.js';
import type { Picks } from './use-picks.js';
import type { DeskQueue } from './use-queue.js';

const MINUTE = 60_000;

interface TaskListProps {
  readonly title: string;
  readonly desk: DeskQueue;
  readonly tasks: readonly TaskView[];
  readonly selected: string | undefined;
  readonly picks: Picks;
  readonly question: DeskQuestion;
  readonly facets: Facets | undefined;
  readonly searchRef: RefObject<HTMLInputElement | null>;
  readonly rowsRef: RefObject<HTMLDivElement | null>;
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

interface Part {
  readonly section: Section | undefined;
  readonly tasks: TaskView[];
}

/** Only a list in the order of what is due has parts. */
const partsOf = (tasks: readonly TaskView[], { sort, queue }: DeskQuestion, at: number): readonly Part[] => {
  if (isClosed(queue) || sort !== 'due') return [{ section: undefined, tasks: [...tasks] }];
  return tasks.reduce<Part[]>((parts, task) => {
    const section = sectionOf(task, at);
    const last = parts.at(-1);
    if (last?.section === section) last?.tasks.push(task);
    else parts.push({ section, tasks: [task] });
    return parts;
  }, []);
};

const PartHead = ({ section, n }: { section: Section; n: number }) => {
  const t = useDeskText();
  return (
    <h2 aria-hidden="true">
      {section === 'over' && <Icon name="alert" className="sm" />}
      {t(SECTION_TEXT[section])} · {n}
    </h2>
  );
};

/** What the hub has more is asked for by the reader; what is never shown is said. */
const More = ({ desk, shown }: { desk: DeskQueue; shown: number }) => {
  const t = useDeskText();
  const { formats } = useSurface();
  if (desk.total === undefined) return null;
  const words = { n: formats.number(shown), of: formats.number(desk.total) };
  return (
    <div className="morex">
      <span>{t(desk.showMore ? 'r.more' : 'r.more.narrow', words)}</span>
      {desk.showMore && (
        <button type="button" className="btn sm" onClick={desk.showMore}>
          {t('r.more.show')}
        </button>
      )}
    </div>
  );
};

type RowsProps = Pick<
  TaskListProps,
  'title' | 'desk' | 'tasks' | 'selected' | 'picks' | 'question' | 'rowsRef' | 'onPick'
>;

const Rows = ({ title, desk, tasks, selected, picks, question, rowsRef, onPick }: RowsProps) => {
  const t = useDeskText();
  const me = useMe();
  const now = useNow(MINUTE);
  useEffect(() => {
    if (selected !== undefined)
      document.getElementById(`row-${selected}`)?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  const closed = isClosed(question.queue);
  return (
    <div className={desk.asking ? 'rv-rows asking' : 'rv-rows'} ref={rowsRef} aria-busy={desk.asking}>
      <div
        role="listbox"
        aria-multiselectable={picks.picking || undefined}
        tabIndex={0}
        aria-label={title}
        aria-activedescendant={selected === undefined ? undefined : `row-${selected}`}
        id="tasks"
      >
        {partsOf(tasks, question, desk.laidOutAt).map(({ section, tasks: within }) => (
          <div role="group" aria-label={section ? t(SECTION_TEXT[section]) : title} key={section ?? ''}>
            {section && <PartHead section={section} n={within.length} />}
            {within.map((task) => (
              <TaskRow
                key={task.taskId}
                task={task}
                closed={closed}
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
      <More desk={desk} shown={tasks.length} />
    </div>
  );
};

interface NothingProps {
  readonly joining: boolean;
  readonly question: DeskQuestion;
}

const Nothing = ({ joining, question }: NothingProps) => {
  const t = useDeskText();
  const searching = question.text !== '' || FILTERS.some((name) => question[name] !== undefined);
  const closed = isClosed(question.queue);
  if (joining) {
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
        <b>{t(searching ? 'r.empty.filter' : closed ? 'r.empty.closed' : 'r.empty')}</b>
        {!searching && !closed && <span>{t('r.empty.why')}</span>}
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
  const { desk, tasks, picks, question, onKeys, onDecide } = props;
  const fresh = desk.queue.fresh.length;
  return (
    <section className="rv-list" aria-label={props.title}>
      <ListHead {...props} shown={tasks.length} />
      {fresh > 0 && (
        <button type="button" className="fresh" onClick={desk.showFresh}>
          {t('r.new', { n: fresh })} <span className="w6">{t('r.new.show')}</span>
        </button>
      )}
      {tasks.length === 0 ? <Nothing joining={desk.asking} question={question} /> : <Rows {...props} />}
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
