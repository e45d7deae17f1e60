/** Shows JSON with its parts coloured; large ones behind a button. */
import { useMemo, useState } from 'react';
import { jsonTokens } from './core/json-tokens.js';
import { useConsoleText } from './texts.js';

/** Laying out more than this at once makes the page stutter. */
const LARGE = 64 * 1024;
const CLASSES = { key: 'k', text: 's', number: 'n', word: 'x', plain: undefined } as const;

export const JsonView = ({ text, label }: { text: string; label: string }) => {
  const t = useConsoleText();
  const [whole, setWhole] = useState(false);
  const large = text.length > LARGE && !whole;
  const shown = large ? text.slice(0, LARGE / 8) : text;
  const tokens = useMemo(() => jsonTokens(shown), [shown]);
  return (
    <>
      <pre className="json" tabIndex={0} aria-label={label} role="region">
        {tokens.map((token, index) =>
          token.kind === 'plain' ? (
            token.text
          ) : (
            <span key={index} className={CLASSES[token.kind]}>
              {token.text}
            </span>
          ),
        )}
        {large && '…'}
      </pre>
      {large && (
        <button type="button" className="btn sm" onClick={() => setWhole(true)}>
          {t('o.insp.large', { kb: (text.length / 1024).toFixed(0) })}
        </button>
      )}
    </>
  );
};
