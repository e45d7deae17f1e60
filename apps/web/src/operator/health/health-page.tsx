/** How the house is: this hub, its agents, its queues, its store. Only figures that something counts. */
import type { Surface, ThreadSummary } from '@triptych/protocol';
import type { ReactNode } from 'react';
import { Icon } from '../../shared/icon.js';
import type { Page } from '../../shared/hub-api.js';
import { useSurface } from '../../shared/surface-context.js';
import { useFetched } from '../../shared/use-fetched.js';
import { useSharedText } from '../../shared/use-shared-text.js';
import { threadsOfAgent, threadsOfAgents } from '../core/agent-threads.js';
import { useLast } from '../past/use-settled.js';
import { useConsoleText } from '../texts.js';
import { useWatched } from '../use-watched.js';
import { Queues, type QueueStanding } from './queues.js';
import { useHealthText } from './texts.js';

interface Standing {
  readonly instance: {
    readonly store: boolean;
    readonly feed: boolean;
    readonly uptimeMs: number;
    readonly sockets: Readonly<Record<Surface, number>>;
  };
  readonly queues: readonly QueueStanding[];
  readonly store: {
    readonly usedBytes: number;
    readonly maxBytes?: number;
    readonly writes: 'ok' | 'failed' | 'off';
  };
}

const LOOK_AGAIN_MS = 5_000;
const MB = 1_048_576;
const SURFACES = ['customer', 'reviewer', 'operator'] as const;

const Well = ({ ok, children }: { ok: boolean; children: ReactNode }) => (
  <span className={ok ? 'st ok' : 'st bad'}>
    <Icon name={ok ? 'check' : 'alert'} />
    {children}
  </span>
);

const Hub = ({ instance }: Pick<Standing, 'instance'>) => {
  const t = useHealthText();
  const c = useConsoleText();
  const { formats } = useSurface();
  const well = (ok: boolean) => <Well ok={ok}>{t(ok ? 'h.well' : 'h.away')}</Well>;
  return (
    <section>
      <h1>{t('h.hub')}</h1>
      <p className="lead">{t('h.hub.lead')}</p>
      <dl className="kv roomy">
        <dt>{t('h.store')}</dt>
        <dd>{well(instance.store)}</dd>
        <dt>{t('h.feed')}</dt>
        <dd>{well(instance.feed)}</dd>
        <dt>{t('h.since')}</dt>
        <dd>{formats.span(instance.uptimeMs)}</dd>
      </dl>
      <table className="grid-t">
        <caption className="sr">{t('h.sockets')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('h.sockets')}</th>
            <th scope="col" className="num">
              {t('h.open')}
            </th>
          </tr>
        </thead>
        <tbody>
          {SURFACES.map((surface) => (
            <tr key={surface}>
              <td className="w5">{c(`o.surface.${surface}`)}</td>
              <td className="num">{formats.number(instance.sockets[surface])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

const Agents = ({ threads }: { threads: readonly ThreadSummary[] }) => {
  const t = useHealthText();
  const { formats } = useSurface();
  const { fetched } = useFetched<Page<{ readonly id: string; readonly name: string }>>('/v1/agents');
  const counts = threadsOfAgents(threads);
  if (fetched.state !== 'there') return null;
  return (
    <section>
      <h2>{t('h.agents')}</h2>
      <p className="lead">{t('h.agents.lead', { n: formats.number(threads.length) })}</p>
      <table className="grid-t">
        <thead>
          <tr>
            <th scope="col">{t('h.agent')}</th>
            {(['running', 'waiting', 'failed'] as const).map((name) => (
              <th key={name} scope="col" className="num">
                {t(`h.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {fetched.value.items.map(({ id, name }) => {
            const { running, waiting, failed } = threadsOfAgent(counts, id);
            return (
              <tr key={id}>
                <td>
                  <span className="w5">{name}</span> <span className="mono c3 t-12">{id}</span>
                </td>
                <td className="num">{formats.number(running)}</td>
                <td className="num">{formats.number(waiting)}</td>
                <td className="num">
                  {failed > 0 ? <Well ok={false}>{formats.number(failed)}</Well> : formats.number(0)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
};

const Store = ({ store }: Pick<Standing, 'store'>) => {
  const t = useHealthText();
  const { formats } = useSurface();
  const mb = (bytes: number) => t('h.mb', { n: formats.number(Math.round(bytes / MB)) });
  const { usedBytes, maxBytes, writes } = store;
  return (
    <section>
      <h2>{t('h.store')}</h2>
      <dl className="kv roomy">
        <dt>{t('h.memory')}</dt>
        <dd>
          {maxBytes === undefined
            ? mb(usedBytes)
            : t('h.memory.of', { used: mb(usedBytes), max: mb(maxBytes) })}
        </dd>
        <dt>{t('h.disk')}</dt>
        <dd>
          <Well ok={writes === 'ok'}>
            {t(writes === 'failed' ? 'h.disk.bad' : writes === 'off' ? 'h.disk.off' : 'h.disk.ok')}
          </Well>
        </dd>
      </dl>
    </section>
  );
};

export const HealthPage = ({ threads }: { threads: readonly ThreadSummary[] }) => {
  const x = useSharedText();
  const { fetched } = useWatched<Standing>('/v1/health', LOOK_AGAIN_MS);
  const standing = useLast(fetched);
  return (
    <main className="op-page halves" id="main" tabIndex={0}>
      {standing === undefined && fetched.state === 'refused' && (
        <p className="err-text">
          <Icon name="alert" />
          <span>{x('x.loadfail')}</span>
        </p>
      )}
      {standing && (
        <>
          <div>
            <Hub instance={standing.instance} />
            <Agents threads={threads} />
          </div>
          <div>
            <Queues queues={standing.queues} />
            <Store store={standing.store} />
          </div>
        </>
      )}
    </main>
  );
};
