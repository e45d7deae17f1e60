/** Where the request stands: a list beside the talk on wide screens, a bar above it on narrow ones. */
import { Icon } from '../shared/icon.js';
import type { Progress, StepState } from './core/progress.js';
import { useCustomerText } from './texts.js';

const CLASSES: Readonly<Record<StepState, string>> = {
  done: 'done',
  now: 'now',
  waiting: 'hold-now',
  you: 'hold-now',
  todo: '',
};

const BAR: Readonly<Record<StepState, string>> = {
  done: 'done',
  now: 'now',
  waiting: 'wait',
  you: 'wait',
  todo: '',
};

/** A step is counted as the one at hand only while somebody is at it. */
export const StandingWords = ({ progress, name }: { progress: Progress; name?: string | undefined }) => {
  const t = useCustomerText();
  const { at: n, done, standing, steps } = progress;
  const total = steps.length;
  if (standing === 'finished') return t('c.progress.done');
  if (standing === 'paused') return t('c.steps.of', { done, total });
  return name === undefined ? t('c.step.of', { n, total }) : t('c.step', { n, total, name });
};

const Sign = ({ state, n }: { state: StepState; n: number }) => {
  if (state === 'done') return <Icon name="check" />;
  if (state === 'waiting') return <Icon name="hourglass" />;
  if (state === 'you') return <Icon name="pen" />;
  return n;
};

export const ProgressList = ({ progress }: { progress: Progress }) => {
  const t = useCustomerText();
  const notes: Readonly<Record<StepState, string | undefined>> = {
    done: undefined,
    now: t('c.progress.working'),
    waiting: t('c.progress.waiting'),
    you: t('c.step.you'),
    todo: undefined,
  };
  const words: Readonly<Record<StepState, string>> = {
    done: t('c.progress.done'),
    now: '',
    waiting: '',
    you: '',
    todo: t('c.progress.todo'),
  };
  return (
    <ol className="way">
      {progress.steps.map(({ label, state }, index) => (
        <li
          key={label}
          className={CLASSES[state]}
          aria-current={state === 'done' || state === 'todo' ? undefined : 'step'}
        >
          <span aria-hidden="true">
            <Sign state={state} n={index + 1} />
          </span>
          {label}
          {words[state] && <span className="sr"> {words[state]}</span>}
          {notes[state] && <small>{notes[state]}</small>}
        </li>
      ))}
    </ol>
  );
};

export const ProgressBar = ({ progress }: { progress: Progress }) => {
  const t = useCustomerText();
  const current = progress.steps[progress.at - 1];
  return (
    <div className="cu-prog" role="group" aria-label={t('c.progress')}>
      <p>
        <span className="w5">
          <StandingWords progress={progress} name={current?.label} />
        </span>
        {current?.state === 'waiting' && <span className="c3">{t('c.progress.waiting')}</span>}
        {current?.state === 'you' && <span className="c3">{t('c.step.you')}</span>}
      </p>
      <div className="bar" aria-hidden="true">
        {progress.steps.map(({ label, state }) => (
          <i key={label} className={BAR[state]} />
        ))}
      </div>
    </div>
  );
};
