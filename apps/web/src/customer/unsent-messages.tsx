/** Messages that are not part of the conversation yet, each with the reason. */
import { useSurface } from '../shared/surface-context.js';
import { useConnection } from '../shared/use-connection.js';
import { unsentReason, type Outbox, type Unsent, type UnsentReason } from './core/outbox.js';
import { useCustomerText } from './texts.js';

const WORDS = {
  sending: 'c.sending',
  next: 'c.queued',
  offline: 'c.unsent',
  'no-agent': 'c.empty.noagents',
} as const satisfies Record<UnsentReason, string>;

interface UnsentProps {
  readonly outbox: Outbox;
  readonly running: boolean;
  /** The conversation would begin now, but nobody is there to talk to. */
  readonly nobody: boolean;
  readonly onRetry: (id: string) => void;
  readonly onRemove: (id: string) => void;
}

interface ReasonProps extends Pick<UnsentProps, 'onRetry' | 'onRemove'> {
  readonly message: Unsent;
  readonly why: UnsentReason;
}

const Reason = ({ message, why, onRetry, onRemove }: ReasonProps) => {
  const t = useCustomerText();
  if (message.state !== 'refused') return <p className="hint">{t(WORDS[why])}</p>;
  return (
    <p className="hint bad" role="alert">
      {t('c.refused', { why: message.refusal.message })}{' '}
      <button type="button" className="btn link" onClick={() => onRetry(message.id)}>
        {t('c.again')}
      </button>{' '}
      <button type="button" className="btn link" onClick={() => onRemove(message.id)}>
        {t('c.discard')}
      </button>
    </p>
  );
};

export const UnsentMessages = ({ outbox, running, nobody, onRetry, onRemove }: UnsentProps) => {
  const { client } = useSurface();
  const connection = useConnection(client).state;
  return outbox.map((message) => {
    const state = message.state === 'refused' ? 'kept' : message.state;
    const why = unsentReason(state, { connection, running, nobody });
    const onItsWay = message.state !== 'refused' && why === 'sending';
    return (
      <section className="turn you" key={message.id}>
        <p className={onItsWay ? 'bubble' : 'bubble unsent'}>{message.text}</p>
        <Reason {...{ message, why, onRetry, onRemove }} />
      </section>
    );
  });
};
