/** The last question before a batch is mended: what will happen, and what was checked. */
import type { BatchView } from '@triptych/protocol';
import { useEffect, useId, useRef, useState } from 'react';
import { Icon } from '../../shared/icon.js';
import { Ring } from '../../shared/marks.js';
import { Notice } from '../../shared/notice.js';
import { isRepeat } from '../core/batch-acts.js';
import { useBatchText } from './texts.js';
import type { Mend, Mending } from './use-mend.js';

const REFUSALS = ['THREAD_BUSY', 'ALREADY_DECIDED', 'EXPIRED', 'RESUME_REQUIRED', 'STALE_REVISION'] as const;

/** A reason is for the history; the hub keeps as much of it. */
const MAX_REASON = 2_000;

export const MendNews = ({ mending, gone }: { mending: Mending; gone: boolean }) => {
  const t = useBatchText();
  if (mending.state === 'done') {
    return (
      <Notice tone="ok" icon="check">
        {t(`b.did.${mending.act}`)}
      </Notice>
    );
  }
  if (mending.state === 'refused') {
    const { code, message } = mending.refusal;
    const known = REFUSALS.find((each) => each === code);
    return (
      <Notice tone="bad" icon="alert">
        {known ? t(`b.no.${known}`) : t('b.no.other', { why: message })}
      </Notice>
    );
  }
  return gone ? <Notice icon="info">{t('b.gone')}</Notice> : null;
};

export const MendForm = ({ batch, mend: { mending, ask, send } }: { batch: BatchView; mend: Mend }) => {
  const t = useBatchText();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [reason, setReason] = useState('');
  // It follows the operator's own act, so it may take the focus.
  useEffect(() => field.current?.focus(), []);
  if (mending.state !== 'asking' && mending.state !== 'sending') return null;
  const { act, state } = mending;
  const sending = state === 'sending';
  return (
    <form
      className="mend"
      onSubmit={(event) => {
        event.preventDefault();
        send(reason);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !sending) ask(undefined);
      }}
    >
      <p className="ln">
        <Icon name="ask" />
        <span>{t(act === 'retry' && !isRepeat(batch) ? 'b.sure.retry.safe' : `b.sure.${act}`)}</span>
      </p>
      <div className="field">
        <label htmlFor={id}>{t('b.reason')}</label>
        <textarea
          ref={field}
          id={id}
          className="input"
          rows={2}
          maxLength={MAX_REASON}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </div>
      <div className="row">
        <button
          type="button"
          className="btn ghost"
          aria-disabled={sending || undefined}
          onClick={() => !sending && ask(undefined)}
        >
          {t('b.back')} <kbd>Esc</kbd>
        </button>
        <button
          type="submit"
          className={act === 'cancel' ? 'btn bad' : 'btn primary'}
          aria-disabled={sending || undefined}
        >
          {sending && <Ring />}
          {sending ? t('b.sending') : t(`b.do.${act}`)}
        </button>
      </div>
    </form>
  );
};
