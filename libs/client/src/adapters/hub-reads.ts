/** Asks the hub over HTTP what a socket is not told unasked, or has no frame for. */
import {
  ok,
  refuse,
  type BulkReply,
  type Refusal,
  type Result,
  type RunSummary,
  type ThreadSummary,
} from '@triptych/protocol';
import type { BulkItem } from '../core/requests.js';
import type { TokenSource } from './token-source.js';

/** The hub answers in milliseconds; whoever asks has better things to do than wait longer. */
const ANSWER_WITHIN_MS = 10_000;

export interface HubReads {
  thread(threadId: string): Promise<Result<ThreadSummary>>;
  run(threadId: string, runId: string): Promise<Result<RunSummary>>;
  decideAll(items: readonly BulkItem[], key: string): Promise<Result<BulkReply>>;
}

/** What is sent, where something is; under its key it is done once. */
interface Sent {
  readonly body: unknown;
  readonly key: string;
}

const posted = ({ body, key }: Sent) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'idempotency-key': key },
  body: JSON.stringify(body),
});

const bodyOf = async (response: Response): Promise<Result<unknown>> => {
  const body = (await response.json()) as { error?: Refusal };
  if (response.ok) return ok(body);
  return body.error ? { ok: false, refusal: body.error } : refuse('INTERNAL');
};

/** Where the hub is asked over HTTP. */
export const httpOf = (url: string): string => url.replace(/^ws/u, 'http').replace(/\/$/u, '');

export const hubReads = (url: string, getToken: TokenSource): HubReads => {
  const base = httpOf(url);
  const ask = async (path: string, sent: Sent | undefined, fresh: boolean): Promise<Result<unknown>> => {
    const init = sent ? posted(sent) : { headers: {} };
    const response = await fetch(`${base}${path}`, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${await getToken({ fresh })}` },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    return response.status === 401 && !fresh ? ask(path, sent, true) : bodyOf(response);
  };
  const read = async <T>(path: string, sent?: Sent): Promise<Result<T>> => {
    try {
      return (await ask(path, sent, false)) as Result<T>;
    } catch (error) {
      const message = error instanceof Error ? error.message : 'The hub cannot be reached.';
      return refuse('STORE_UNAVAILABLE', { message });
    }
  };
  const at = (threadId: string): string => `/v1/threads/${encodeURIComponent(threadId)}`;
  return {
    thread: (threadId) => read(at(threadId)),
    run: (threadId, runId) => read(`${at(threadId)}/runs/${encodeURIComponent(runId)}`),
    decideAll: (items, key) => read('/v1/approvals/decide', { body: { items }, key }),
  };
};
