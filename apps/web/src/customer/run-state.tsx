/** That the assistant is at work where nothing else shows it, and how it ended when it did not end well. */
import { useEffect, useState } from 'react';
import { Icon } from '../shared/icon.js';
import { Ring } from '../shared/marks.js';
import { Notice } from '../shared/notice.js';
import type { RunEnding } from './core/run-ending.js';
import { useCustomerText } from './texts.js';

/** Silence longer than this needs a word. */
const SLOW_MS = 20_000;

/** `shown`: its work is to be seen already. `change` is anything that changes when something happens. */
export const Thinking = ({ shown, change }: { shown: boolean; change: unknown }) => {
  const t = useCustomerText();
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [change]);
  if (slow) return <p className="hint">{t('c.slow')}</p>;
  if (shown) return null;
  return (
    <p className="st live thinking">
      <Ring />
      {t('c.thinking')}
    </p>
  );
};

export const EndNote = ({ ending, onAgain }: { ending: RunEnding; onAgain?: (() => void) | undefined }) => {
  const t = useCustomerText();
  if (ending.kind === 'stopped') {
    return (
      <p className="st">
        <Icon name="stop" />
        {t('c.stopped')}
      </p>
    );
  }
  const words = t(ending.kind === 'safe' ? 'c.cut.safe' : 'c.cut.unclear', { ref: ending.ref });
  return (
    <Notice
      icon={ending.kind === 'unclear' ? 'ask' : 'alert'}
      tone={ending.kind === 'unclear' ? 'wait' : 'plain'}
    >
      <p>
        {words}{' '}
        {onAgain && (
          <button type="button" className="btn link" onClick={onAgain}>
            {t('c.again')}
          </button>
        )}
      </p>
    </Notice>
  );
};
