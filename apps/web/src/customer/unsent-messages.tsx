/** Messages that are not part of the conversation yet, each with the reason. */
import { useSurface } from '../shared/surface-context.js';
import { useConnection } from '../shared/use-connection.js';
import type { Outbox, Unsent } from './core/outbox.js';
import { useCustomerText } from './texts.js';

interface UnsentProps {
  readonly outbox: Outbox;
  readonly onRetry: (id: string) => void;
  readonly onRemove: (id: string) => void;
}

const Reason = ({ message, onRetry, onRemove }: { message: Unsent } & Omit<UnsentProps, 'outbox'>) => {
  const t = useCustomerText();
  const { client } = useSurface();
  const ready = useConnection(client).state === 'ready';
  if (message.state !== 'refused') {
    const why = message.state === 'sending' ? 'c.sending' : ready ? 'c.queued' : 'c.unsent';
    return <p className="hint">{t(why)}</p>;
  }
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

export const UnsentMessages = ({ outbox, onRetry, onRemove }: UnsentProps) =>
  outbox.map((message) => (
    <section className="turn you" key={message.id}>
      <p className={message.state === 'sending' ? 'bubble' : 'bubble unsent'}>{message.text}</p>
      <Reason message={message} onRetry={onRetry} onRemove={onRemove} />
    </section>
  ));
