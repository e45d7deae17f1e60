/** Work the assistant does, in friendly words; a list, not boxes. */
import { useState } from 'react';
import { Icon } from '../shared/icon.js';
import { Ring } from '../shared/marks.js';
import type { ToolStep } from './core/turns.js';
import { useCustomerText } from './texts.js';

const Sign = ({ state }: { state: ToolStep['state'] }) => {
  switch (state) {
    case 'running':
      return <Ring />;
    case 'done':
      return <Icon name="check" />;
    case 'failed':
      return <Icon name="x" className="c-bad" />;
    case 'declined':
    case 'cancelled':
      return <Icon name="x" className="c3" />;
    case 'over':
      return <Icon name="circle" className="c3" />;
    case 'adviser':
      return <Icon name="hourglass" className="c-wait" />;
    case 'you':
      return <Icon name="pen" className="c-wait" />;
    case 'unclear':
      return <Icon name="ask" className="c-wait" />;
    case 'stopped':
      return <Icon name="stop" className="c3" />;
  }
};

const Step = ({ step }: { step: ToolStep }) => {
  const t = useCustomerText();
  const notes: Partial<Record<ToolStep['state'], string>> = {
    failed: t('c.step.failed'),
    declined: t('c.step.declined'),
    cancelled: t('c.step.cancelled'),
    over: t('c.step.over'),
    unclear: t('c.step.unclear'),
    adviser: t('c.step.adviser'),
    you: t('c.step.you'),
    stopped: t('c.stopped'),
  };
  const note = notes[step.state];
  return (
    <li className={step.state === 'running' ? 'now' : undefined}>
      <Sign state={step.state} />
      <span>
        {step.label}
        {note && <small>{note}</small>}
      </span>
    </li>
  );
};

/** Fewer than this need no summary above them. */
const SUMMED_FROM = 3;

export const ToolSteps = ({ steps }: { steps: readonly ToolStep[] }) => {
  const t = useCustomerText();
  const [open, setOpen] = useState(true);
  const done = steps.filter((step) => step.state === 'done').length;
  const running = steps.filter((step) => step.state === 'running').length;
  return (
    <div className="steps">
      {steps.length >= SUMMED_FROM && (
        <button type="button" className="sum" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t('c.steps', { done, running })}
          <Icon name={open ? 'down' : 'right'} className="sm" />
        </button>
      )}
      {open && (
        <ul aria-label={t('c.steps.what')}>
          {steps.map((step) => (
            <Step key={step.id} step={step} />
          ))}
        </ul>
      )}
    </div>
  );
};
