/** Finds out over HTTP why a connection does not open: browsers keep what the hub answered a socket to themselves. */
import type { Refusal, Surface } from '@triptych/protocol';
import type { Told } from '../core/connection.js';
import type { TokenSource } from './token-source.js';

/** Whoever does not answer by then is away, ms. */
const ANSWER_WITHIN_MS = 10_000;

export type WhyNot = () => Promise<Told | undefined>;

const answered = (asked: Promise<Response>): Promise<Response | undefined> => asked.catch(() => undefined);

const toldBy = async (response: Response): Promise<Told | undefined> => {
  if (response.ok) return undefined;
  const body = (await response.json().catch(() => undefined)) as { error?: Refusal } | undefined;
  return body?.error && { by: 'refusal', refusal: body.error };
};

/** A ticket is judged as the socket is: by origin, token, role and limits. It is not used. */
export const whyNot =
  (base: string, surface: Surface, getToken: TokenSource): WhyNot =>
  async () => {
    const token = await getToken({ fresh: true });
    const asked = { method: 'POST', body: JSON.stringify({ surface }) };
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const answer = await answered(fetch(`${base}/v1/tickets`, { ...asked, headers, signal }));
    if (answer) return toldBy(answer);
    // A hub that is there, and whose answers are not for this page.
    const there = await answered(fetch(`${base}/v1/config`, { mode: 'no-cors', signal }));
    return there && { by: 'origin' };
  };

/** Only pages are kept from the answer; whoever else makes a socket can read it, or has no origin. */
export const isPage = (): boolean => 'document' in globalThis;
