/** The hub's HTTP calls, with refusals as values. */
import { refusal, type Refusal, type Result } from '@triptych/protocol';
import type { GetToken } from './token-source.js';

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

export interface HubApi {
  get<T>(path: string): Promise<Result<T>>;
  post<T>(path: string, body: unknown): Promise<Result<T>>;
}

const AWAY: Refusal = refusal('STORE_UNAVAILABLE', { message: 'The hub cannot be reached.' });

const answerOf = async <T>(response: Response): Promise<Result<T>> => {
  const body = (await response.json().catch(() => undefined)) as { error?: Refusal } | undefined;
  if (response.ok) return { ok: true, value: body as T };
  return { ok: false, refusal: body?.error ?? refusal('INTERNAL') };
};

/** `hub`: where it is, for a page that is not its own. */
export const hubApi = (getToken: GetToken, hub = ''): HubApi => {
  const call = async <T>(path: string, init: RequestInit): Promise<Result<T>> => {
    try {
      const send = async (fresh: boolean) =>
        fetch(`${hub}${path}`, {
          ...init,
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${await getToken({ fresh })}`,
          },
        });
      const first = await send(false);
      return await answerOf<T>(first.status === 401 ? await send(true) : first);
    } catch {
      // Offline, or no token to be had: either way nothing was sent.
      return { ok: false, refusal: AWAY };
    }
  };
  return {
    get: (path) => call(path, { method: 'GET' }),
    post: (path, body) => call(path, { method: 'POST', body: JSON.stringify(body) }),
  };
};
