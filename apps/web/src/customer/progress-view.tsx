/** Where the request stands: a list beside the talk on wide screens, a bar above it on narrow ones. */
import { Icon } from '../shared/icon.js';
import type { Progress, StepState } from './core/progress.js';
import { useCustomerText } from './texts.js';

const CLASSES: Readonly<Record<StepState, string>> = {
  done: 'done',
  now: 'now',
  waiting: 'hold-now',
  todo: '',
};

const Sign = ({ state, n }: { state: StepState; n: number }) => {
  if (state === 'done') return <Icon name="check" />;
  if (state === 'waiting') return <Icon name="hourglass" />;
  return n;
};

export const ProgressList = ({ progress }: { progress: Progress }) => {
  const t = useCustomerText();
  const notes: Readonly<Record<StepState, string | undefined>> = {
    done: undefined,
    now: t('c.progress.working'),
    waiting: t('c.progress.waiting'),
    todo: undefined,
  };
  const words: Readonly<Record<StepState, string>> = {
    done: t('c.progress.done'),
    now: '',
    waiting: '',
    todo: t('c.progress.todo'),
  };
  return (
    <ol className="way">
      {progress.steps.map(({ label, state }, index) => (
        <li
          key={label}
          className={CLASSES[state]}
          aria-current={state === 'now' || state === 'waiting' ? 'step' : undefined}
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
          {progress.finished
            ? t('c.progress.done')
            : t('c.step', { n: progress.at, total: progress.steps.length, name: current?.label ?? '' })}
        </span>
        {current?.state === 'waiting' && <span className="c3">{t('c.progress.waiting')}</span>}
      </p>
      <div className="bar" aria-hidden="true">
        {progress.steps.map(({ label, state }) => (
          <i key={label} className={state === 'waiting' ? 'wait' : state === 'todo' ? '' : state} />
        ))}
      </div>
    </div>
  );
};
