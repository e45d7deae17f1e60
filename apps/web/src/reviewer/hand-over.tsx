/** What those who lead a desk may change about a task: whom it is for, and by when it should be answered. */
import type { TaskView } from '@triptych/protocol';
import { useId, useState } from 'react';
import { nameOf } from '../shared/personas.js';
import { useSurface } from '../shared/surface-context.js';
import { moreTime } from './core/more-time.js';
import { useDeskText } from './texts.js';
import type { Acts } from './use-acts.js';

interface HandOverProps {
  readonly task: TaskView;
  readonly acts: Acts;
}

const GiveForm = ({ acts, onDone }: { acts: Acts; onDone: () => void }) => {
  const t = useDeskText();
  const id = useId();
  const [to, setTo] = useState('');
  return (
    <form
      className="give"
      data-send
      onSubmit={(event) => {
        event.preventDefault();
        if (to.trim() === '') return;
        void acts.assign(to.trim()).then((done) => done && onDone());
      }}
    >
      <label htmlFor={id}>{t('r.assign.to')}</label>
      <input
        id={id}
        className="input"
        value={to}
        maxLength={256}
        autoComplete="off"
        autoFocus
        onChange={(event) => setTo(event.target.value)}
      />
      <span className="row">
        <button type="button" className="btn ghost sm" onClick={onDone}>
          {t('r.back.short')}
        </button>
        <button type="submit" className="btn sm" aria-disabled={acts.busy || undefined}>
          {t('r.assign.do')}
        </button>
      </span>
    </form>
  );
};

/** Whom it was given to; nothing where it was given to nobody and cannot be. */
export const Assignee = ({ task, acts }: HandOverProps) => {
  const t = useDeskText();
  const [giving, setGiving] = useState(false);
  const mayGive = task.may.includes('assign');
  if (task.assignee === undefined && !mayGive) return null;
  return (
    <section className="o4">
      <h2>{t('r.assign')}</h2>
      <p>{task.assignee === undefined ? t('r.assign.nobody') : nameOf(task.assignee)}</p>
      {mayGive && giving && <GiveForm acts={acts} onDone={() => setGiving(false)} />}
      {mayGive && !giving && (
        <p className="links">
          <button type="button" className="btn link t-12" onClick={() => setGiving(true)}>
            {t('r.assign.give')}
          </button>
          {task.assignee !== undefined && (
            <button type="button" className="btn link t-12" onClick={() => void acts.assign(null)}>
              {t('r.assign.take')}
            </button>
          )}
        </p>
      )}
    </section>
  );
};

export const MoreTime = ({ task, acts, now }: HandOverProps & { readonly now: number }) => {
  const t = useDeskText();
  const { formats } = useSurface();
  const choices = task.may.includes('extend') ? moreTime(task, now) : [];
  if (choices.length === 0) return null;
  return (
    <p className="links">
      <span className="t-12 c3">{t('r.extend')}</span>
      {choices.map(({ ms, dueAt }) => (
        <button key={ms} type="button" className="btn link t-12" onClick={() => void acts.extend(dueAt)}>
          {t('r.extend.by', { t: formats.span(ms) })}
        </button>
      ))}
    </p>
  );
};
