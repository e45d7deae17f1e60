/** One task, whole: what, why, until when, who, and the one bar of acts. */
import type { TaskView } from '@triptych/protocol';
import { useEffect, type RefObject } from 'react';
import { Icon } from '../shared/icon.js';
import { nameOf } from '../shared/personas.js';
import { readableName } from '../shared/readable-name.js';
import { useSurface } from '../shared/surface-context.js';
import { useNow } from '../shared/use-now.js';
import { ActionBar } from './action-bar.js';
import { ConsequenceSection } from './consequence-section.js';
import { fateOf } from './core/fate.js';
import { amendedIn, type Money } from './core/stake.js';
import { headlineOf } from '../shared/headline.js';
import { DueSign } from './due-sign.js';
import { EditView } from './edit-view.js';
import { FactsSide } from './facts-side.js';
import { fateWords } from './fate-words.js';
import { HistorySection } from './history-section.js';
import { ProposalSection } from './proposal.js';
import { TalkSection } from './talk-section.js';
import { useDeskText } from './texts.js';
import type { Acts } from './use-acts.js';
import { isEditing, useTaskDesk, type KeyHolder, type TaskDesk } from './use-task-desk.js';

const HALF_MINUTE = 30_000;

export interface Pager {
  readonly at: number;
  readonly of: number;
  readonly previous: () => void;
  readonly next: () => void;
  readonly back: () => void;
}

const Crumb = ({ task, pager }: { task: TaskView; pager: Pager }) => {
  const t = useDeskText();
  return (
    <div className="rv-crumb">
      <button type="button" className="btn ghost icon back" aria-label={t('r.back')} onClick={pager.back}>
        <Icon name="left" />
      </button>
      <span className="cut">{readableName(task.agentId)}</span>
      {task.proposal.toolName && (
        <span className="mono t-11 hide-narrow nowrap">{task.proposal.toolName}</span>
      )}
      <span className="pager">
        {pager.at > 0 && <span className="nth">{t('r.nth', { i: pager.at, n: pager.of })}</span>}
        <button
          type="button"
          className="btn ghost sm icon"
          aria-label={t('r.previous')}
          onClick={pager.previous}
        >
          <Icon name="up" />
        </button>
        <button type="button" className="btn ghost sm icon" aria-label={t('r.next')} onClick={pager.next}>
          <Icon name="down" />
        </button>
      </span>
    </div>
  );
};

const Chips = ({ desk, now }: { desk: TaskDesk; now: number }) => {
  const t = useDeskText();
  const { task, mode } = desk;
  const fate = fateWords(fateOf(task), t);
  if (isEditing(mode)) {
    return (
      <span className="chip live">
        <Icon name="pen" />
        {t('r.editing')}
      </span>
    );
  }
  if (fate) {
    return (
      <span className={`chip ${fate.tone}`} role="status">
        <Icon name={fate.icon} />
        {fate.text}
      </span>
    );
  }
  return (
    <>
      {task.quorum.needed > 1 && (
        <span className="chip live">
          {t('r.votes', { have: task.quorum.have, need: task.quorum.needed })}
        </span>
      )}
      <span className="only-narrow">
        <DueSign task={task} now={now} />
      </span>
    </>
  );
};

/** The heading is the agent's question; what was made of it is said under it. */
const AmendedLine = ({ task }: { task: TaskView }) => {
  const t = useDeskText();
  const { formats } = useSurface();
  const amended = amendedIn(task);
  if (amended === undefined) return null;
  const money = ({ value, currency }: Money) => formats.money(value, currency);
  const words =
    amended.kind === 'money'
      ? t(amended.approved ? 'r.amended.money' : 'r.amending.money', {
          from: money(amended.from),
          to: money(amended.to),
        })
      : t(amended.approved ? 'r.amended' : 'r.amending', { n: amended.n });
  return (
    <p className="amended">
      <Icon name="pen" />
      {words}
    </p>
  );
};

const Head = ({ desk, pager, now }: { desk: TaskDesk; pager: Pager; now: number }) => {
  const t = useDeskText();
  const { formats } = useSurface();
  const { task } = desk;
  return (
    <header className="rv-dhead">
      <Crumb task={task} pager={pager} />
      <h1 tabIndex={-1} id="task-title">
        {headlineOf(task)}
      </h1>
      <AmendedLine task={task} />
      <div className="rv-meta">
        <Chips desk={desk} now={now} />
        <span>
          {t('r.asked', { when: formats.when(task.createdAt, now) })}{' '}
          <span className="w5">{nameOf(task.requester)}</span>
        </span>
      </div>
    </header>
  );
};

interface TaskDetailProps {
  readonly task: TaskView;
  readonly acts: Acts;
  readonly pager: Pager;
  /** The desk's keys reach the open task through this. */
  readonly keys: RefObject<KeyHolder | undefined>;
}

export const TaskDetail = ({ task, acts, pager, keys }: TaskDetailProps) => {
  const now = useNow(HALF_MINUTE);
  const desk = useTaskDesk({ task, acts, onNext: pager.next });
  useEffect(() => {
    keys.current = desk;
    return () => {
      keys.current = undefined;
    };
  });
  const head = <Head desk={desk} pager={pager} now={now} />;
  if (isEditing(desk.mode)) {
    return (
      <main className="rv-detail" aria-labelledby="task-title">
        {head}
        <EditView desk={desk} />
      </main>
    );
  }
  return (
    <main className="rv-detail" aria-labelledby="task-title">
      <div className="rv-scroll" tabIndex={0} aria-labelledby="task-title" role="region">
        {head}
        <div className="rv-cols">
          <div className="rv-main">
            <ConsequenceSection task={task} />
            <ProposalSection task={task} />
            <TalkSection task={task} />
            <HistorySection task={task} now={now} />
          </div>
          <FactsSide task={task} acts={acts} now={now} />
        </div>
      </div>
      <ActionBar desk={desk} now={now} />
    </main>
  );
};
