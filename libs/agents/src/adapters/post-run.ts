/** Makes one POST, and tells what never reached the agent from what it did not answer. */
import { request as requestHttp } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { NotOpened } from '../core/agent-answer.js';
import type { RunWatch } from './run-watch.js';

export interface RunRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Posted =
  | { readonly got: 'answer'; readonly response: IncomingMessage }
  /** Certain: the agent knows nothing of this run. */
  | { readonly got: 'no-connection'; readonly why: NotOpened }
  /** The agent may have begun. */
  | { readonly got: 'no-answer'; readonly detail: string };

export const postRun = async (asked: RunRequest, watch: RunWatch): Promise<Posted> => {
  const secure = asked.url.protocol === 'https:';
  const request = send(asked, secure ? requestHttps : requestHttp);
  watch.onEnd(() => request.destroy());

  const connected = watch.wait('connect');
  const failure = await connectionOf(request, secure ? 'secureConnect' : 'connect');
  connected();
  if (failure) return { got: 'no-connection', why: explain(asked.url, watch, failure.detail) };

  const answered = watch.wait('first-event');
  const posted = await answerTo(request);
  answered();
  return posted;
};

/** AGT-6: a kept connection may die under a request, and nobody could tell whether the agent got it; so each run has its own. */
const send = ({ url, headers, body }: RunRequest, request: typeof requestHttp): ClientRequest => {
  const sent = request(url, {
    method: 'POST',
    agent: false,
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'content-length': Buffer.byteLength(body),
    },
  });
  sent.end(body);
  return sent;
};

interface Failure {
  readonly detail: string;
}

const connectionOf = (
  request: ClientRequest,
  sign: 'connect' | 'secureConnect',
): Promise<Failure | undefined> =>
  new Promise((resolve) => {
    request.once('socket', (socket) => socket.once(sign, () => resolve(undefined)));
    onFailure(request, resolve);
  });

const answerTo = (request: ClientRequest): Promise<Posted> =>
  new Promise((resolve) => {
    request.once('response', (response) => resolve({ got: 'answer', response }));
    onFailure(request, ({ detail }) => resolve({ got: 'no-answer', detail }));
  });

const onFailure = (request: ClientRequest, tell: (failure: Failure) => void): void => {
  request.on('error', (error: NodeJS.ErrnoException) => tell({ detail: error.code ?? error.message }));
  request.once('close', () => tell({ detail: 'closed' }));
};

const explain = (url: URL, watch: RunWatch, detail: string): NotOpened => {
  const ended = watch.ended();
  if (ended === 'connect' || ended === 'total')
    return { ok: false, failure: 'timeout-connect', detail: `no connection to ${url.origin} in time` };
  const reason = ended === 'aborted' ? 'given up before it was reached' : detail;
  return { ok: false, failure: 'unavailable', detail: `no connection to ${url.origin}: ${reason}` };
};
