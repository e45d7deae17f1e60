/** Decides by its headers whether a request may come near: Origin for all, Host and proxies in dev mode. */
import { ok, refuse, type Result } from '@triptych/protocol';

export interface Gate {
  /** Exact origins. */
  readonly origins: ReadonlySet<string>;
  /** Tokens are given to anyone who asks: only this machine may ask. */
  readonly dev: boolean;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const LOCAL_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

const hostname = (host: unknown): string => (typeof host === 'string' ? host.replace(/:\d+$/u, '') : '');
const isForwarded = (name: string): boolean => name === 'forwarded' || name.startsWith('x-forwarded-');

export const passGate = (gate: Gate, headers: Headers): Result<true> => {
  const { origin } = headers;
  if (origin !== undefined && !(typeof origin === 'string' && gate.origins.has(origin)))
    return refuse('FORBIDDEN', { message: 'This origin is not allowed.' });
  if (!gate.dev) return ok(true);
  if (!LOCAL_HOSTS.has(hostname(headers.host)))
    return refuse('FORBIDDEN', { message: 'In dev mode only localhost is served.' });
  if (Object.keys(headers).some(isForwarded))
    return refuse('FORBIDDEN', { message: 'In dev mode no proxy may stand between.' });
  return ok(true);
};
