/** Asks the hub over HTTP what a socket is not told unasked. */
import {
  ok,
  refuse,
  type Refusal,
  type Result,
  type RunSummary,
  type ThreadSummary,
} from '@triptych/protocol';
import type { TokenSource } from './lasting-line.js';

/** The hub answers in milliseconds; whoever asks has better things to do than wait longer. */
const ANSWER_WITHIN_MS = 10_000;

export interface HubReads {
  thread(threadId: string): Promise<Result<ThreadSummary>>;
  run(threadId: string, runId: string): Promise<Result<RunSummary>>;
}

const bodyOf = async (response: Response): Promise<Result<unknown>> => {
  const body = (await response.json()) as { error?: Refusal };
  if (response.ok) return ok(body);
  return body.error ? { ok: false, refusal: body.error } : refuse('INTERNAL');
};

export const hubReads = (url: string, getToken: TokenSource): HubReads => {
  const base = url.replace(/^ws/u, 'http').replace(/\/$/u, '');
  const ask = async (path: string, fresh: boolean): Promise<Result<unknown>> => {
    const headers = { authorization: `Bearer ${await getToken({ fresh })}` };
    const response = await fetch(`${base}${path}`, {
      headers,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    return response.status === 401 && !fresh ? ask(path, true) : bodyOf(response);
  };
  const read = async <T>(path: string): Promise<Result<T>> => {
    try {
      return (await ask(path, false)) as Result<T>;
    } catch (error) {
      const message = error instanceof Error ? error.message : 'The hub cannot be reached.';
      return refuse('STORE_UNAVAILABLE', { message });
    }
  };
  const at = (threadId: string): string => `/v1/threads/${encodeURIComponent(threadId)}`;
  return {
    thread: (threadId) => read(at(threadId)),
    run: (threadId, runId) => read(`${at(threadId)}/runs/${encodeURIComponent(runId)}`),
  };
};
