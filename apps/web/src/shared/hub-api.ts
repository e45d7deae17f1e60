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
  /** All of an answer that is no JSON; one that was cut short is a refusal. */
  file(path: string): Promise<Result<Blob>>;
}

const AWAY: Refusal = refusal('STORE_UNAVAILABLE', { message: 'The hub cannot be reached.' });

const jsonOf = (response: Response): Promise<unknown> => response.json().catch(() => undefined);

const answerOf = async <T>(
  response: Response,
  read: (response: Response) => Promise<unknown>,
): Promise<Result<T>> => {
  if (response.ok) return { ok: true, value: (await read(response)) as T };
  const body = (await jsonOf(response)) as { error?: Refusal } | undefined;
  return { ok: false, refusal: body?.error ?? refusal('INTERNAL') };
};

/** `hub`: where it is, for a page that is not its own. */
export const hubApi = (getToken: GetToken, hub = ''): HubApi => {
  const call = async <T>(path: string, init: RequestInit, read = jsonOf): Promise<Result<T>> => {
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
      return await answerOf<T>(first.status === 401 ? await send(true) : first, read);
    } catch {
      // Offline, or no token to be had: either way there is no answer.
      return { ok: false, refusal: AWAY };
    }
  };
  return {
    get: (path) => call(path, { method: 'GET' }),
    post: (path, body) => call(path, { method: 'POST', body: JSON.stringify(body) }),
    file: (path) => call(path, { method: 'GET' }, (response) => response.blob()),
  };
};
