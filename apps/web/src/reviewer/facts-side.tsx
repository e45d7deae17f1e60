/** The facts beside a task: how long there is, why it is yours, who has voted. */
import type { MayNotReason, RuleMatch, TaskView } from '@triptych/protocol';
import type { ReactNode } from 'react';
import { Icon } from '../shared/icon.js';
import { Initials } from '../shared/marks.js';
import { nameOf } from '../shared/personas.js';
import { readableName } from '../shared/readable-name.js';
import { useSurface } from '../shared/surface-context.js';
import { useMe } from '../shared/who-am-i.js';
import { fateOf } from './core/fate.js';
import { lateVotes } from './core/late-votes.js';
import { dueOf } from './core/task-words.js';
import { matchWords } from './core/match-words.js';
import { Assignee, MoreTime } from './hand-over.js';
import { useDeskText } from './texts.js';
import type { Acts } from './use-acts.js';

interface SideProps {
  readonly task: TaskView;
  readonly now: number;
}

interface ActiveSideProps extends SideProps {
  readonly acts: Acts;
}

const Met = ({ task }: { task: TaskView }) => {
  const t = useDeskText();
  const { formats } = useSurface();
  if (task.dueAt === undefined || task.decision === undefined)
    return <p className="c3">{t('r.deadline.none')}</p>;
  const spare = task.dueAt - task.decision.at;
  const span = formats.span(Math.abs(spare));
  return <p>{spare >= 0 ? t('r.deadline.met', { t: span }) : t('r.deadline.missed', { t: span })}</p>;
};

const Deadline = ({ task, acts, now }: ActiveSideProps) => {
  const t = useDeskText();
  const { formats } = useSurface();
  const due = dueOf(task, now);
  if (fateOf(task).kind !== 'open') {
    return (
      <section className="due">
        <h2>{t('r.deadline')}</h2>
        <Met task={task} />
      </section>
    );
  }
  const left = task.dueAt === undefined ? 0 : (task.dueAt - now) / Math.max(1, task.dueAt - task.createdAt);
  const percent = Math.round(Math.min(1, Math.max(0, left)) * 100);
  return (
    <section className="due">
      <h2>{t('r.deadline')}</h2>
      {due.kind !== 'none' && (
        <>
          <p className={`n ${due.kind}`}>
            <Icon name={due.kind === 'over' ? 'alert' : 'clock'} />
            {due.kind === 'over'
              ? t('r.over', { t: formats.span(due.ms) })
              : t('r.due', { t: formats.span(due.ms) })}
          </p>
          <div className={`meter ${due.kind}`} role="img" aria-label={t('r.deadline.share', { n: percent })}>
            <i style={{ width: `${percent}%` }} />
          </div>
        </>
      )}
      <p className="t-12 c3">
        {formats.sentences([
          ...(task.dueAt === undefined ? [] : [t('r.deadline.at', { when: formats.when(task.dueAt, now) })]),
          t('r.ttl', { when: formats.when(task.expiresAt, now) }),
        ])}
      </p>
      <MoreTime task={task} acts={acts} now={now} />
    </section>
  );
};

const Ticked = ({ children }: { children: ReactNode }) => (
  <li>
    <Icon name="check" />
    <span>{children}</span>
  </li>
);

const Condition = ({ match, task }: { match: RuleMatch; task: TaskView }) => {
  const { formats } = useSurface();
  const { what, is } = matchWords(match, task, formats);
  return (
    <Ticked>
      {what} {is}
    </Ticked>
  );
};

/** Enough to tell two versions apart by eye. */
const VERSION_LENGTH = 7;

const Why = ({ task }: { task: TaskView }) => {
  const t = useDeskText();
  const me = useMe();
  const { rule, version, matched } = task.policy;
  const isMine = task.may.includes('approve') && task.requester !== me && task.groups.length > 0;
  return (
    <section className="o3">
      <h2>{t('r.why')}</h2>
      <ul className="why">
        <li>
          {rule === '' ? (
            <span>{t('r.why.none')}</span>
          ) : (
            <span title={t('r.why.version', { v: version })}>
              {t('r.why.rule')} <code>{rule}</code>{' '}
              <span className="c3">{version.slice(0, VERSION_LENGTH)}</span>
            </span>
          )}
        </li>
        {matched.map((match) => (
          <Condition key={`${match.pointer}${match.op}`} match={match} task={task} />
        ))}
        {isMine && <Ticked>{t('r.why.you', { groups: task.groups.map(readableName).join(', ') })}</Ticked>}
      </ul>
    </section>
  );
};

const REASONS: Readonly<Record<MayNotReason, `r.not.${MayNotReason}`>> = {
  requester: 'r.not.requester',
  editor: 'r.not.editor',
  limit: 'r.not.limit',
  group: 'r.not.group',
  claimed: 'r.not.claimed',
};

const MissingVotes = ({ task }: { task: TaskView }) => {
  const t = useDeskText();
  const missing = task.quorum.needed - task.quorum.have;
  const why = task.mayNot?.approve;
  if (missing <= 0 || fateOf(task).kind !== 'open') return null;
  const note =
    why === undefined
      ? task.may.includes('approve')
        ? t('r.votes.you')
        : ''
      : t('r.votes.self', { why: t(REASONS[why]) });
  return (
    <li>
      <span className="av open" />
      <span>
        {t('r.votes.open', { n: missing })}
        {note && <small>{note}</small>}
      </span>
    </li>
  );
};

const Votes = ({ task, now }: SideProps) => {
  const t = useDeskText();
  const { formats } = useSurface();
  const me = useMe();
  return (
    <section className="o4">
      <h2>{t('r.approvals')}</h2>
      <ul className="votes">
        {task.votes.map((vote) => (
          <li key={`${vote.by}${vote.at}`}>
            <Initials name={nameOf(vote.by)} own={vote.by === me} />
            <span>
              {nameOf(vote.by)}
              <small>
                {t(`r.vote.${vote.verb}`)} · {formats.when(vote.at, now)}
              </small>
            </span>
          </li>
        ))}
        {lateVotes(task).map(({ by, verb, at }) => (
          <li key={`${by}${at}`} className="late">
            <Initials name={nameOf(by)} own={by === me} />
            <span>
              {nameOf(by)}
              <small>
                {t(`r.vote.${verb}`)} · {formats.when(at, now)} · {t('r.vote.late')}
              </small>
            </span>
          </li>
        ))}
        <MissingVotes task={task} />
      </ul>
    </section>
  );
};

export const FactsSide = ({ task, acts, now }: ActiveSideProps) => (
  <aside className="rv-side">
    <Deadline task={task} acts={acts} now={now} />
    <Why task={task} />
    <Votes task={task} now={now} />
    <Assignee task={task} acts={acts} />
  </aside>
);
