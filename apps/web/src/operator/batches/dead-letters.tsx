/** Messages that could not be delivered, each to be sent once more. */
import { useState } from 'react';
import { Icon } from '../../shared/icon.js';
import type { Page } from '../../shared/hub-api.js';
import { Ring } from '../../shared/marks.js';
import { useSurface } from '../../shared/surface-context.js';
import { useLast } from '../past/use-settled.js';
import { ThreadLink } from '../thread-link.js';
import { useWatched } from '../use-watched.js';
import { useBatchText } from './texts.js';

interface DeadLetter {
  readonly id: string;
  readonly taskId: string;
  readonly threadId: string;
  readonly destination: string;
  readonly why: string;
  readonly attempts: number;
  readonly at: number;
}

const LOOK_AGAIN_MS = 15_000;

type Sending = 'idle' | 'sending' | 'sent' | { readonly refused: string };

const Letter = ({ letter, now, onSent }: { letter: DeadLetter; now: number; onSent: () => void }) => {
  const t = useBatchText();
  const { api, formats } = useSurface();
  const [sending, setSending] = useState<Sending>('idle');
  const send = () => {
    setSending('sending');
    const path = `/v1/deadletters/${encodeURIComponent(letter.id)}/resend`;
    void api.post<unknown>(path, {}).then((answer) => {
      setSending(answer.ok ? 'sent' : { refused: answer.refusal.message });
      onSent();
    });
  };
  return (
    <li className="letter">
      <Icon name="alert" />
      <div className="grow">
        <b>{letter.destination}</b>{' '}
        <span className="c3">
          {t('b.letters.tries', { n: letter.attempts })} · {formats.ago(letter.at, now)}
        </span>
        <p>{letter.why}</p>
        <p className="c3 t-12">
          {t('b.letters.task')} <span className="mono">{letter.taskId}</span> ·{' '}
          <ThreadLink threadId={letter.threadId}>{t('b.log')}</ThreadLink>
        </p>
        {typeof sending === 'object' && (
          <p className="err-text">{t('b.no.other', { why: sending.refused })}</p>
        )}
      </div>
      {sending === 'sent' ? (
        <span className="st ok">
          <Icon name="check" />
          {t('b.letters.resent')}
        </span>
      ) : (
        <button
          type="button"
          className="btn sm"
          aria-disabled={sending === 'sending' || undefined}
          onClick={() => sending !== 'sending' && send()}
        >
          {sending === 'sending' ? <Ring /> : <Icon name="refresh" />}
          {t('b.letters.resend')}
        </button>
      )}
    </li>
  );
};

/** Nothing where nothing was lost: it is no news. */
export const DeadLetters = ({ now }: { now: number }) => {
  const t = useBatchText();
  const { formats } = useSurface();
  const { fetched, again } = useWatched<Page<DeadLetter>>('/v1/deadletters?limit=200', LOOK_AGAIN_MS);
  const items = useLast(fetched)?.items ?? [];
  if (items.length === 0) return null;
  return (
    <section>
      <h2>
        {t('b.letters')} <span className="count">{formats.number(items.length)}</span>
      </h2>
      <p className="lead">{t('b.letters.lead')}</p>
      <ul>
        {items.map((letter) => (
          <Letter key={`${letter.id}/${letter.at}`} letter={letter} now={now} onSent={again} />
        ))}
      </ul>
    </section>
  );
};
