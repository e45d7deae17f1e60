/** Where the customer writes: Enter sends, Shift and Enter break the line, Stop replaces Send while an answer runs. */
import { useEffect, useState, type KeyboardEvent, type RefObject } from 'react';
import { Icon } from '../shared/icon.js';
import { useCustomerText } from './texts.js';

interface ComposerProps {
  /** What is being written, and what keeps it. */
  readonly draft: string;
  readonly onDraft: (text: string) => void;
  readonly field?: RefObject<HTMLTextAreaElement | null>;
  readonly running: boolean;
  readonly disabled?: boolean;
  readonly onSend: (text: string) => void;
  readonly onStop?: () => void;
}

export const Composer = ({
  draft,
  onDraft,
  field,
  running,
  disabled = false,
  onSend,
  onStop,
}: ComposerProps) => {
  const t = useCustomerText();
  const [stopping, setStopping] = useState(false);
  useEffect(() => {
    if (!running) setStopping(false);
  }, [running]);
  const empty = draft.trim() === '' || disabled;
  const send = () => {
    if (empty) return;
    onSend(draft.trim());
    onDraft('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While a syllable is being composed, Enter belongs to the input method.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const showStop = running && onStop !== undefined && draft.trim() === '';
  return (
    <div className="composer">
      <textarea
        ref={field}
        className="ph"
        rows={1}
        value={draft}
        aria-label={t('c.composer')}
        placeholder={t(running ? 'c.composer.busy' : 'c.composer')}
        onChange={(event) => onDraft(event.target.value)}
        onKeyDown={onKeyDown}
        enterKeyHint="send"
      />
      {showStop ? (
        <button
          type="button"
          className="btn"
          aria-disabled={stopping || undefined}
          onClick={() => {
            if (stopping) return;
            setStopping(true);
            onStop();
          }}
        >
          <Icon name="stop" />
          {t('c.stop')}
        </button>
      ) : (
        <button
          type="button"
          className={empty ? 'btn icon' : 'btn icon primary'}
          aria-label={t('c.send')}
          aria-disabled={empty || undefined}
          onClick={send}
        >
          <Icon name="send" />
        </button>
      )}
    </div>
  );
};

/** Nothing can be written now; says until when, and offers another conversation. */
export const ShutComposer = ({ why, onNew }: { why: string; onNew: () => void }) => {
  const t = useCustomerText();
  return (
    <div className="composer shut">
      <p className="ph">{why}</p>
      <button type="button" className="btn" onClick={onNew}>
        <Icon name="plus" />
        {t('c.new')}
      </button>
    </div>
  );
};
