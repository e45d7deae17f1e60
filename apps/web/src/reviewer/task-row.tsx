/** One task in the list: what, for whom, until when, and who has it. */
import type { TaskView } from '@triptych/protocol';
import { memo } from 'react';
import { Icon } from '../shared/icon.js';
import { firstNameOf, nameOf } from '../shared/personas.js';
import { useSurface } from '../shared/surface-context.js';
import { readableName } from '../shared/readable-name.js';
import { currentArgs } from './core/current.js';
import { fateOf } from './core/fate.js';
import { stakeOf } from './core/stake.js';
import { headlineOf } from '../shared/headline.js';
import { holderOf } from './core/task-words.js';
import { DueSign } from './due-sign.js';
import { fateWords } from './fate-words.js';
import { useDeskText } from './texts.js';

interface TaskRowProps {
  readonly task: TaskView;
  readonly selected: boolean;
  readonly gone: boolean;
  /** In a list of what is over. */
  readonly closed: boolean;
  /** undefined: nothing is being picked. */
  readonly picked: boolean | undefined;
  readonly me: string;
  readonly now: number;
  readonly onPick: (taskId: string) => void;
  readonly onToggle: (taskId: string) => void;
}

/** Its row says whether it is picked; the box is for the eye and the pointer. */
const Box = ({ on, onToggle }: { on: boolean; onToggle: () => void }) => (
  <span
    className="pickbox"
    aria-hidden="true"
    onClick={(event) => {
      event.stopPropagation();
      onToggle();
    }}
  >
    <span className={on ? 'box on' : 'box'}>{on && <Icon name="check" />}</span>
  </span>
);

const Standing = ({ task, me, now }: Pick<TaskRowProps, 'task' | 'me' | 'now'>) => {
  const t = useDeskText();
  const holder = holderOf(task, me, now);
  const votes =
    task.quorum.needed > 1 ? t('r.votes', { have: task.quorum.have, need: task.quorum.needed }) : '';
  if (holder.kind === 'mine')
    return <span className="st me">{[t('r.claim.yours'), votes].filter(Boolean).join(' · ')}</span>;
  if (holder.kind === 'other')
    return <span className="st">{t('r.claim.other', { name: firstNameOf(holder.by) })}</span>;
  return <span className="st">{votes}</span>;
};

/** Who decided it, and when. */
const Ended = ({ task: { decision }, now }: Pick<TaskRowProps, 'task' | 'now'>) => {
  const { formats } = useSurface();
  if (decision === undefined) return <span className="st" />;
  const by = decision.kind === 'expired' ? [] : decision.by.slice(-1).map(firstNameOf);
  return <span className="st">{[...by, formats.when(decision.at, now)].join(' · ')}</span>;
};

/** What is at stake stands where a long name cannot push it out of sight. */
const Second = ({ task }: { task: TaskView }) => {
  const { formats } = useSurface();
  const stake = stakeOf(currentArgs(task));
  return (
    <span className="sub cut">
      {stake && <span className="w5 c2">{formats.money(stake.value, stake.currency)} · </span>}
      {nameOf(task.requester)} · {readableName(task.agentId)}
    </span>
  );
};

const classOf = ({ selected, over, pick }: Readonly<Record<'selected' | 'over' | 'pick', boolean>>): string =>
  ['task', selected && 'sel', over && 'over', pick && 'pick'].filter(Boolean).join(' ');

export const TaskRow = memo((props: TaskRowProps) => {
  const { task, selected, gone, closed, picked, me, now, onPick, onToggle } = props;
  const t = useDeskText();
  const fate = fateWords(fateOf(task), t);
  const left = gone && fate === undefined;
  return (
    <div
      id={`row-${task.taskId}`}
      role="option"
      aria-selected={selected}
      aria-checked={picked}
      className={classOf({
        selected,
        over: !closed && (fate !== undefined || left),
        pick: picked !== undefined,
      })}
      onClick={() => onPick(task.taskId)}
    >
      {picked !== undefined && <Box on={picked} onToggle={() => onToggle(task.taskId)} />}
      <b className="cut">{headlineOf(task)}</b>
      {fate || left ? (
        <span className={`st ${fate?.tone ?? ''}`}>
          <Icon name={fate?.icon ?? 'archive'} />
          {fate?.text ?? t('r.gone')}
        </span>
      ) : (
        <DueSign task={task} now={now} />
      )}
      <Second task={task} />
      {closed ? (
        <Ended task={task} now={now} />
      ) : fate || left ? (
        <span className="st" />
      ) : (
        <Standing task={task} me={me} now={now} />
      )}
    </div>
  );
});
