/** A value the policy hides: shown on this page to whoever says why, after that was written down. */
import type { TaskView } from '@triptych/protocol';
import { useState } from 'react';
import { useAnnounce } from '../shared/announcer.js';
import { Icon } from '../shared/icon.js';
import { Ring } from '../shared/marks.js';
import { useSurface } from '../shared/surface-context.js';
import { useDeskText } from './texts.js';
import { ValueText, VisibleText } from './value-text.js';

interface HiddenValueProps {
  readonly task: TaskView;
  readonly pointer: string;
}

type State =
  | { readonly kind: 'hidden' | 'asking' | 'sending' }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'shown'; readonly text: string };

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const useReveal = ({ task, pointer }: HiddenValueProps) => {
  const { api } = useSurface();
  const announce = useAnnounce();
  const [state, setState] = useState<State>({ kind: 'hidden' });
  const reveal = async (reason: string) => {
    setState({ kind: 'sending' });
    const path = `/v1/threads/${encodeURIComponent(task.threadId)}/reveal`;
    const answer = await api.post<{ value: unknown }>(path, { taskId: task.taskId, pointer, reason });
    if (answer.ok) return setState({ kind: 'shown', text: wordsOf(answer.value.value) });
    setState({ kind: 'failed', why: answer.refusal.message });
    announce(answer.refusal.message, 'assertive');
  };
  return { state, ask: () => setState({ kind: 'asking' }), back: () => setState({ kind: 'hidden' }), reveal };
};

interface WhyFormProps {
  readonly state: State;
  readonly onSend: (reason: string) => void;
  readonly onBack: () => void;
}

const WhyForm = ({ state, onSend, onBack }: WhyFormProps) => {
  const t = useDeskText();
  const [reason, setReason] = useState('');
  const sending = state.kind === 'sending';
  return (
    <form
      className="reveal"
      data-send
      onSubmit={(event) => {
        event.preventDefault();
        if (!sending && reason.trim() !== '') onSend(reason.trim());
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onBack();
      }}
    >
      <label>
        <span>{t('r.reveal')}</span>
        <input
          className="input"
          autoFocus
          value={reason}
          maxLength={1_000}
          onChange={(event) => setReason(event.target.value)}
        />
      </label>
      {state.kind === 'failed' && (
        <span className="st bad">
          <Icon name="alert" />
          {state.why}
        </span>
      )}
      <span className="row">
        <button type="submit" className="btn sm" aria-disabled={sending || reason.trim() === '' || undefined}>
          {sending && <Ring />}
          {t('r.reveal.do')}
        </button>
        <button type="button" className="btn ghost sm" onClick={onBack}>
          {t('r.back.short')}
        </button>
      </span>
    </form>
  );
};

export const HiddenValue = (props: HiddenValueProps) => {
  const t = useDeskText();
  const { state, ask, back, reveal } = useReveal(props);
  if (state.kind === 'shown')
    return (
      <span className="redact" role="status">
        <Icon name="eye" />
        <bdi>
          <VisibleText text={state.text} />
        </bdi>
      </span>
    );
  if (state.kind !== 'hidden')
    return <WhyForm state={state} onSend={(reason) => void reveal(reason)} onBack={back} />;
  return (
    <>
      <ValueText value={{ kind: 'redacted' }} />{' '}
      <button type="button" className="btn link" onClick={ask}>
        {t('r.reveal.ask')}
      </button>
    </>
  );
};
