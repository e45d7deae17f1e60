/** Where this page's tokens come from: the development door, the host's endpoint, or the page that embeds us. */
import { SignedOut } from '@triptych/client';
import type { Persona } from './personas.js';

export interface HubConfig {
  readonly authMode: 'dev' | 'jwt';
  readonly authTokenUrl?: string;
}

export type GetToken = (need?: { readonly fresh: boolean }) => Promise<string>;

interface Issued {
  readonly token: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

/** Renewed this long before its end, so that no request leaves with a token that dies on the way. */
const SPARE_MS = 60_000;

const issuedBy = async (request: Promise<Response>): Promise<Issued> => {
  const response = await request;
  if (response.status === 401 || response.status === 403) throw new SignedOut();
  if (!response.ok) throw new Error(`No token: ${response.status}`);
  return (await response.json()) as Issued;
};

const devToken = (persona: Persona): Promise<Issued> =>
  issuedBy(
    fetch('/v1/dev/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(persona),
    }),
  );

/** Of whoever the address knows by their cookie. */
export const tokenFrom = (url: string): Promise<Issued> => issuedBy(fetch(url, { credentials: 'include' }));

/** The page that embeds a surface may put `window.triptych = { getToken }` before it. */
const embedded = (): GetToken | undefined =>
  (globalThis as { triptych?: { getToken?: GetToken } }).triptych?.getToken;

/** Keeps a token until it is nearly over, or until it is said not to do. */
export const cached = (issue: (fresh: boolean) => Promise<Issued>): GetToken => {
  let current: Promise<Issued> | undefined;
  let goodUntil = 0;
  return async (need) => {
    if (current === undefined || need?.fresh || Date.now() > goodUntil) {
      current = issue(need?.fresh === true);
      goodUntil = Number.POSITIVE_INFINITY;
    }
    const asked = current;
    try {
      const issued = await asked;
      if (current === asked) goodUntil = issued.expiresAt - SPARE_MS;
      return issued.token;
    } catch (problem) {
      if (current === asked) current = undefined;
      throw problem;
    }
  };
};

/** Nothing when no sign-in is set up at all: the page then says so. */
export const tokenSource = (config: HubConfig, persona: Persona): GetToken | undefined => {
  const host = embedded();
  if (host) return host;
  if (config.authMode === 'dev') return cached(() => devToken(persona));
  const url = config.authTokenUrl;
  return url ? cached(() => tokenFrom(url)) : undefined;
};
