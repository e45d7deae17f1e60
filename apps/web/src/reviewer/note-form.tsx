/** One text that goes with an act: why it is rejected, a comment, why it is taken over. */
import { useEffect, useId, useRef, useState } from 'react';
import { Ring } from '../shared/marks.js';
import { useDeskText } from './texts.js';

interface NoteFormProps {
  readonly label: string;
  readonly sendLabel: string;
  readonly tone?: 'primary' | 'bad';
  readonly missing: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly busy: boolean;
  readonly onSend: () => void;
  readonly onBack: () => void;
}

export const NoteForm = (props: NoteFormProps) => {
  const t = useDeskText();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [tried, setTried] = useState(false);
  const empty = props.text.trim() === '';
  // The form follows the reviewer's own act, so it may take the focus.
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      className="note"
      data-send
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (!empty && !props.busy) props.onSend();
      }}
    >
      <div className="field">
        <label htmlFor={id}>{props.label}</label>
        <textarea
          ref={field}
          id={id}
          className={tried && empty ? 'input err' : 'input'}
          rows={2}
          value={props.text}
          maxLength={2000}
          aria-invalid={(tried && empty) || undefined}
          aria-describedby={tried && empty ? `${id}-missing` : undefined}
          onChange={(event) => props.onText(event.target.value)}
        />
        {tried && empty && (
          <p className="err-text" id={`${id}-missing`}>
            {props.missing}
          </p>
        )}
      </div>
      <div className="row">
        <span className="grow" />
        <button type="button" className="btn ghost" onClick={props.onBack}>
          {t('r.back.short')} <kbd>Esc</kbd>
        </button>
        <button
          type="submit"
          className={`btn ${props.tone ?? 'primary'} grow-m`}
          aria-disabled={props.busy || undefined}
        >
          {props.busy && <Ring />}
          {props.busy ? t('r.sending') : props.sendLabel} <kbd>Ctrl ↵</kbd>
        </button>
      </div>
    </form>
  );
};
