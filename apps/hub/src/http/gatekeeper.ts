/** Decides by its headers whether a request may come near: Origin for all, Host and proxies in dev mode. */
import { ok, refuse, type Result } from '@triptych/protocol';

export interface Gate {
  /** Exact origins. */
  readonly origins: ReadonlySet<string>;
  /** Tokens are given to anyone who asks: only this machine may ask. */
  readonly dev: boolean;
}

/** What of a request is looked at. */
export interface Approach {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names and values in turn, as they came: of two hosts the other view keeps one. */
  readonly rawHeaders: readonly string[];
  readonly url?: string | undefined;
  readonly httpVersion?: string | undefined;
}

/** Browsers and proxies together send some thirty. */
const MAX_HEADERS = 100;

const LOCAL_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

const hostname = (host: unknown): string => (typeof host === 'string' ? host.replace(/:\d+$/u, '') : '');
const isForwarded = (name: string): boolean => name === 'forwarded' || name.startsWith('x-forwarded-');

const hostsIn = (rawHeaders: readonly string[]): number =>
  rawHeaders.filter((name, nth) => nth % 2 === 0 && name.toLowerCase() === 'host').length;

/** A target may name a host of its own, and that one would count (RFC 9112). */
const namesHost = (url = '/'): boolean => !url.startsWith('/');

const forbid = (message: string): Result<never> => refuse('FORBIDDEN', { message });

export const passGate = (gate: Gate, { headers, rawHeaders, url, httpVersion }: Approach): Result<true> => {
  const { origin, host } = headers;
  if (rawHeaders.length > 2 * MAX_HEADERS)
    return refuse('INVALID_INPUT', { message: `A request has at most ${MAX_HEADERS} headers.` });
  const hosts = hostsIn(rawHeaders);
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1'))
    return refuse('INVALID_INPUT', { message: 'A request names one host.', details: { pointer: '/host' } });
  if (origin !== undefined && !(typeof origin === 'string' && gate.origins.has(origin)))
    return forbid('This origin is not allowed.');
  if (!gate.dev) return ok(true);
  if (namesHost(url) || !LOCAL_HOSTS.has(hostname(host)))
    return forbid('In dev mode only localhost is served.');
  if (Object.keys(headers).some(isForwarded)) return forbid('In dev mode no proxy may stand between.');
  return ok(true);
};
