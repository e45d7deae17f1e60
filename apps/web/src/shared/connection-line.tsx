/** Says what the connection is doing, only when there is something to say. */
import type { ConnectionState, ThreadView } from '@triptych/client';
import { useEffect, useState } from 'react';
import { Icon, type IconName } from './icon.js';
import { Ring } from './marks.js';
import { Notice } from './notice.js';
import { useSurface } from './surface-context.js';
import { useConnection } from './use-connection.js';
import { useNow } from './use-now.js';
import { useSharedText } from './use-shared-text.js';

/** Shorter losses are over before they are read. */
const QUIET_MS = 1_200;
/** Long enough to read, then it has nothing more to say. */
const REBUILT_SHOWN_MS = 6_000;

const useAfter = (active: boolean, ms: number): boolean => {
  const [due, setDue] = useState(false);
  useEffect(() => {
    setDue(false);
    if (!active) return undefined;
    const timer = setTimeout(() => setDue(true), ms);
    return () => clearTimeout(timer);
  }, [active, ms]);
  return active && due;
};

const Line = ({
  icon,
  text,
  action,
}: {
  icon?: IconName;
  text: string;
  action?: { label: string; run: () => void };
}) => (
  <div className="netbar" role="status">
    {icon === undefined ? <Ring /> : <Icon name={icon} />}
    <span>{text}</span>
    {action && (
      <button type="button" className="btn sm" onClick={action.run}>
        {action.label}
      </button>
    )}
  </div>
);

const Closed = ({ state }: { state: Extract<ConnectionState, { state: 'closed' }> }) => {
  const t = useSharedText();
  const { again } = useSurface();
  const reload = (label: string) => (
    <button type="button" className="btn link" onClick={again}>
      {label}
    </button>
  );
  if (state.reason === 'signed-out') {
    return (
      <Notice tone="wait" icon="lock">
        <p>
          {t('x.signedout')} {reload(t('x.signin'))}
        </p>
      </Notice>
    );
  }
  if (state.reason === 'forbidden') return <Notice icon="lock">{t('x.noaccess')}</Notice>;
  if (state.reason === 'misuse') {
    return (
      <Notice tone="bad" icon="alert">
        <p>
          {t('x.misuse')} {reload(t('x.reload'))}
        </p>
      </Notice>
    );
  }
  return null;
};

/** The hub is there and answers, but not this page. */
const KeptOut = () => {
  const t = useSharedText();
  return (
    <Notice tone="wait" icon="lock">
      <p role="status">{t('x.origin', { origin: window.location.origin })}</p>
    </Notice>
  );
};

export const ConnectionLine = ({ thread }: { thread?: ThreadView | undefined }) => {
  const t = useSharedText();
  const { client } = useSurface();
  const state = useConnection(client);
  const away = state.state === 'waiting' || state.state === 'connecting';
  const awayForLong = useAfter(away, QUIET_MS);
  const catchingUp = useAfter(!away && thread?.phase === 'catching-up', QUIET_MS / 4);
  const now = useNow(1_000, awayForLong);
  const rebuilt = thread?.rebuilt !== undefined && thread.rebuilt !== 'join';
  const rebuiltOver = useAfter(rebuilt, REBUILT_SHOWN_MS);
  if (state.state === 'closed') return <Closed state={state} />;
  if (awayForLong && state.state === 'waiting') {
    if (state.cause === 'restart') return <Line icon="server" text={t('x.restart')} />;
    if (state.cause === 'origin') return <KeptOut />;
    const seconds = Math.max(1, Math.ceil((state.retryAt - now) / 1_000));
    const action = { label: t('x.offline.now'), run: () => client.retryNow() };
    const text = state.cause === 'rate' ? t('x.slowdown', { s: seconds }) : t('x.offline', { s: seconds });
    return <Line icon="offline" text={text} action={action} />;
  }
  if (awayForLong) return <Line text={t('x.connecting')} />;
  if (catchingUp) return <Line text={t('x.catchingup')} />;
  if (rebuilt && !rebuiltOver) return <Line icon="refresh" text={t('x.rebuilt')} />;
  return null;
};
