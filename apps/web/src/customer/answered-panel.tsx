/** What became of a request that an adviser looked at; it stands where the waiting was. */
import { useId } from 'react';
import { Icon, type IconName } from '../shared/icon.js';
import { Ring } from '../shared/marks.js';
import { AskedFor } from './asked-for.js';
import type { HeldCall } from './core/turns.js';
import { useCustomerText, type CustomerTextId } from './texts.js';

interface End {
  readonly tone: 'ok' | 'bad' | 'wait' | 'plain';
  readonly icon: IconName | undefined;
  readonly title: CustomerTextId;
  readonly says: CustomerTextId;
}

/** An answer is a yes only where the result says that it was done. */
const ENDS: Readonly<Record<HeldCall['state'], End>> = {
  running: { tone: 'plain', icon: undefined, title: 'c.end.answered', says: 'c.end.going' },
  answered: { tone: 'plain', icon: 'check', title: 'c.end.answered', says: 'c.end.below' },
  done: { tone: 'ok', icon: 'check', title: 'c.end.done', says: 'c.end.done.what' },
  declined: { tone: 'bad', icon: 'x', title: 'c.end.declined', says: 'c.end.declined.what' },
  cancelled: { tone: 'plain', icon: 'clock', title: 'c.end.cancelled', says: 'c.end.cancelled.what' },
  failed: { tone: 'bad', icon: 'alert', title: 'c.end.failed', says: 'c.end.failed.what' },
  unclear: { tone: 'wait', icon: 'ask', title: 'c.step.unclear', says: 'c.end.early' },
  stopped: { tone: 'plain', icon: 'stop', title: 'c.stopped', says: 'c.end.early' },
  over: { tone: 'plain', icon: 'circle', title: 'c.end.answered', says: 'c.step.over' },
  adviser: { tone: 'wait', icon: 'hourglass', title: 'c.hold', says: 'c.hold.next.read' },
  you: { tone: 'wait', icon: 'pen', title: 'c.end.answered', says: 'c.step.you' },
};

export const AnsweredPanel = ({ call }: { call: HeldCall }) => {
  const t = useCustomerText();
  const id = useId();
  const { tone, icon, title, says } = ENDS[call.state];
  return (
    <section className={`hold ${tone}`} aria-labelledby={id}>
      <div className="top">
        <span className="dot">{icon === undefined ? <Ring /> : <Icon name={icon} />}</span>
        <div>
          <h2 id={id}>{t(title)}</h2>
          {call.reason !== undefined && (
            <p className="quote">
              <q>{call.reason}</q>
            </p>
          )}
          <p>{t(says)}</p>
        </div>
      </div>
      <div className="body one">
        <AskedFor calls={[call]} of={call.ref} />
      </div>
    </section>
  );
};
