/** Several tasks in the place of one: what each is, what may be done with it, and the acts for all of them. */
import type { MayNotReason, TaskView } from '@triptych/protocol';
import { useEffect, useState, type RefObject } from 'react';
import { Icon } from '../shared/icon.js';
import { headlineOf } from '../shared/headline.js';
import { firstNameOf, nameOf } from '../shared/personas.js';
import { readableName } from '../shared/readable-name.js';
import { useSurface } from '../shared/surface-context.js';
import { useMe } from '../shared/who-am-i.js';
import { BulkBar } from './bulk-bar.js';
import { useConflictWords } from './conflict-words.js';
import {
  able,
  modeFor,
  sharedRows,
  sumsOf,
  weighTogether,
  type BulkMode,
  type BulkVerb,
} from './core/bulk.js';
import { conflictOf } from './core/conflict.js';
import { currentArgs } from './core/current.js';
import { fateOf } from './core/fate.js';
import { stakeOf } from './core/stake.js';
import { holderOf } from './core/task-words.js';
import type { DeskAct } from './core/desk-keys.js';
import { fateWords } from './fate-words.js';
import { moneyWords } from './money-words.js';
import { Values } from './proposal.js';
import { useDeskText } from './texts.js';
import { useBulk, type Bulk } from './use-bulk.js';
import type { KeyHolder } from './use-task-desk.js';

const WHY_NOT: Readonly<Record<MayNotReason, `r.bulk.not.${MayNotReason}`>> = {
  requester: 'r.bulk.not.requester',
  editor: 'r.bulk.not.editor',
  limit: 'r.bulk.not.limit',
  group: 'r.bulk.not.group',
  claimed: 'r.bulk.not.claimed',
};

/** What the reader may do with it, or what keeps them from it. */
const YouCan = ({ task, bulk, now }: { task: TaskView; bulk: Bulk; now: number }) => {
  const t = useDeskText();
  const me = useMe();
  const words = useConflictWords();
  const refused = bulk.outcome?.refused.get(task.taskId);
  if (refused && bulk.outcome) {
    const attempt = { verb: bulk.outcome.verb, conflict: conflictOf(refused) };
    return <span className="st bad wrap">{words(attempt, now)}</span>;
  }
  const fate = fateWords(fateOf(task), t);
  if (fate) return <span className={`st ${fate.tone}`}>{fate.text}</span>;
  if (task.may.includes('approve')) {
    return (
      <span className="st ok">
        <Icon name="check" />
        {t('r.approve')}
      </span>
    );
  }
  const why = task.mayNot?.approve;
  const holder = holderOf(task, me, now);
  const text =
    holder.kind === 'other'
      ? t('r.claim.other', { name: firstNameOf(holder.by) })
      : t(why === undefined ? 'r.bulk.not.answer' : WHY_NOT[why]);
  return (
    <span className="st wait">
      <Icon name="lock" />
      {text}
    </span>
  );
};

const Table = ({ tasks, bulk, now }: { tasks: readonly TaskView[]; bulk: Bulk; now: number }) => {
  const t = useDeskText();
  const { formats } = useSurface();
  return (
    <table className="bulk-table">
      <thead>
        <tr>
          <th scope="col">{t('r.bulk.who')}</th>
          <th scope="col">{t('r.bulk.what')}</th>
          <th scope="col" className="num">
            {t('r.bulk.amount')}
          </th>
          <th scope="col">{t(able(tasks, 'approve').length === 0 ? 'r.bulk.stands' : 'r.bulk.you')}</th>
        </tr>
      </thead>
      <tbody>
        {tasks.map((task) => {
          const stake = stakeOf(currentArgs(task));
          return (
            <tr key={task.taskId}>
              <td className="w5">
                {nameOf(task.requester)}
                <small className="only-narrow">{headlineOf(task)}</small>
              </td>
              <td className="c2 what">{headlineOf(task)}</td>
              <td className="num">{stake && formats.money(stake.value, stake.currency)}</td>
              <td>
                <YouCan {...{ task, bulk, now }} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};

const Head = ({ tasks, onBack }: { tasks: readonly TaskView[]; onBack: () => void }) => {
  const t = useDeskText();
  const { formats } = useSurface();
  const sum = moneyWords(sumsOf(tasks), formats);
  const can = able(tasks, 'approve').length;
  const open = tasks.filter((task) => fateOf(task).kind === 'open');
  const agents = [...new Set(tasks.map((task) => readableName(task.agentId)))];
  return (
    <header className="rv-dhead">
      <div className="rv-crumb">
        <button type="button" className="btn ghost icon back" aria-label={t('r.back')} onClick={onBack}>
          <Icon name="left" />
        </button>
        <span className="cut">{agents.join(' · ')}</span>
      </div>
      <h1 tabIndex={-1} id="task-title">
        {sum === undefined || tasks.length < 2
          ? t('r.bulk.title', { n: tasks.length })
          : t('r.bulk.title.sum', { n: tasks.length, sum })}
      </h1>
      <div className="rv-meta">
        <span>{open.length === 0 ? t('r.nothing') : t('r.bulk.can', { can, not: open.length - can })}</span>
      </div>
    </header>
  );
};

interface BulkPaneProps {
  readonly tasks: readonly TaskView[];
  readonly now: number;
  readonly keys: RefObject<KeyHolder | undefined>;
  readonly onTask: (task: TaskView) => void;
  readonly onBack: () => void;
  readonly onClear: () => void;
}

/** A note for a rejection, a last question for what is weighty, else the act itself. */
const useBulkActs = ({ tasks, bulk, onClear }: Pick<BulkPaneProps, 'tasks' | 'onClear'> & { bulk: Bulk }) => {
  const [wanted, setMode] = useState<BulkMode>('look');
  const mode = modeFor(wanted, tasks);
  useEffect(() => setMode(mode), [mode]);
  const [note, setNote] = useState('');
  const send = (verb: BulkVerb) => {
    void bulk.send(tasks, verb, verb === 'reject' ? note.trim() : '').then((sent) => {
      if (!sent) return;
      setNote('');
      setMode('look');
    });
  };
  const approve = () => (weighTogether(tasks) && mode !== 'confirm' ? setMode('confirm') : send('approve'));
  const acts: Readonly<Partial<Record<DeskAct, readonly [possible: boolean, act: () => void]>>> = {
    back: [true, () => (mode === 'look' ? onClear() : setMode('look'))],
    approve: [able(tasks, 'approve').length > 0, approve],
    reject: [able(tasks, 'reject').length > 0, () => setMode('reject')],
    undo: [bulk.outcome !== undefined, () => void bulk.undo()],
  };
  const can = (act: DeskAct): boolean => acts[act]?.[0] ?? false;
  const onKey = (act: DeskAct): boolean => {
    const possible = can(act);
    if (possible) acts[act]?.[1]();
    return possible;
  };
  return { mode, setMode, note, setNote, approve, reject: () => send('reject'), onKey, can };
};

/** What came of an act is this pane's: it goes with the last pick. */
export const BulkPane = ({ tasks, now, keys, onTask, onBack, onClear }: BulkPaneProps) => {
  const t = useDeskText();
  const bulk = useBulk(onTask);
  const acts = useBulkActs({ tasks, bulk, onClear });
  useEffect(() => {
    keys.current = acts;
    return () => {
      keys.current = undefined;
    };
  });
  const shared = sharedRows(tasks);
  return (
    <main className="rv-detail" aria-labelledby="task-title">
      <div className="rv-scroll" tabIndex={0} aria-labelledby="task-title" role="region">
        <Head tasks={tasks} onBack={onBack} />
        <div className="rv-cols one">
          <div className="rv-main">
            <section className="sec">
              <Table {...{ tasks, bulk, now }} />
            </section>
            {shared.length > 0 && (
              <section className="sec">
                <h2>{t('r.bulk.common', { n: tasks.length })}</h2>
                <Values rows={shared} />
              </section>
            )}
          </div>
        </div>
      </div>
      <BulkBar tasks={tasks} bulk={bulk} acts={acts} onClear={onClear} />
    </main>
  );
};
