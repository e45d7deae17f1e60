/** Asks an AG-UI agent over HTTP to run, and reads its events as they are asked for. */
import { PROTOCOL_VERSION } from '@triptych/protocol';
import type { RunAgentInput } from '@triptych/protocol';
import type { IncomingMessage } from 'node:http';
import { cut } from '../core/agent-answer.js';
import type { AgentItem, AgentLimits, AgentOpened, NotOpened } from '../core/agent-answer.js';
import type { AgentSpec, HttpAgentSpec } from '../core/agent-spec.js';
import { MAX_REDIRECTS, judgeHead } from '../core/answer-head.js';
import type { AnswerHead, HeadVerdict } from '../core/answer-head.js';
import { sseFrames } from '../core/sse-frames.js';
import type { SseFrames } from '../core/sse-frames.js';
import { bodyChunks } from './body-chunks.js';
import type { BodyChunks } from './body-chunks.js';
import { excerptOf } from './excerpt.js';
import { postRun } from './post-run.js';
import { retryAfterMs } from './retry-after.js';
import { cutFor, watchRun } from './run-watch.js';
import type { RunWatch } from './run-watch.js';

export interface RunOptions {
  /** Closes the connection; the events then end without a cut. */
  readonly signal: AbortSignal;
  readonly limits: AgentLimits;
}

/** One conversation with one agent. */
interface Call {
  readonly spec: HttpAgentSpec;
  readonly watch: RunWatch;
  readonly limits: AgentLimits;
  readonly body: string;
}

export const openRun = async (
  spec: HttpAgentSpec,
  input: RunAgentInput,
  { signal, limits }: RunOptions,
): Promise<AgentOpened> => {
  const watch = watchRun(spec.timeouts, signal);
  const body = JSON.stringify({ ...input, protocolVersion: PROTOCOL_VERSION });
  const opened = await ask({ spec, watch, limits, body });
  if (!opened.ok) watch.dispose();
  return opened;
};

const ask = async (call: Call): Promise<AgentOpened> => {
  let url = new URL(call.spec.connect.url);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const posted = await postRun({ url, headers: call.spec.connect.headers, body: call.body }, call.watch);
    if (posted.got === 'no-connection') return posted.why;
    if (posted.got === 'no-answer') return brokenRun(call, posted.detail);
    const verdict = judgeHead(headOf(posted.response), url);
    if (verdict.is === 'stream')
      return streaming(call.watch, readEvents(call, posted.response, bodyChunks(posted.response)));
    if (verdict.is === 'no') return rejected(verdict, posted.response);
    posted.response.destroy();
    url = verdict.url;
  }
  return { ok: false, failure: 'rejected', detail: `the agent redirects more than ${MAX_REDIRECTS} times` };
};

const streaming = (watch: RunWatch, events: AsyncIterable<AgentItem>): AgentOpened => ({
  ok: true,
  events,
  prolong: (ms) => watch.prolong(ms),
});

const headOf = ({ statusCode = 0, headers }: IncomingMessage): AnswerHead => ({
  status: statusCode,
  contentType: headers['content-type'],
  contentEncoding: headers['content-encoding'],
  location: headers.location,
  retryAfterMs: retryAfterMs(headers),
});

const rejected = async (
  { why }: Extract<HeadVerdict, { is: 'no' }>,
  response: IncomingMessage,
): Promise<NotOpened> => {
  const excerpt = await excerptOf(response);
  return excerpt ? { ...why, detail: `${why.detail}: ${excerpt}` } : why;
};

/** AGT-6: sent, and never answered. The run began as far as anyone can know. */
const brokenRun = ({ spec, watch }: Call, detail: string): AgentOpened => {
  watch.dispose();
  return streaming(watch, itemsOf(whyBroken(watch, spec, detail)));
};

async function* itemsOf(items: readonly AgentItem[]): AsyncGenerator<AgentItem> {
  yield* items;
}

async function* readEvents(
  call: Call,
  response: IncomingMessage,
  chunks: BodyChunks,
): AsyncGenerator<AgentItem> {
  const frames = sseFrames(call.limits);
  let read: Read = { items: [], over: false };
  try {
    for (let begun = false; !read.over && call.watch.ended() !== 'aborted'; begun ||= read.items.length > 0) {
      read = await readOn({ ...call, chunks, frames, begun });
      yield* read.items;
    }
  } finally {
    call.watch.dispose();
    response.destroy();
  }
}

interface Read {
  readonly items: readonly AgentItem[];
  readonly over: boolean;
}
interface Reading extends Call {
  readonly chunks: BodyChunks;
  readonly frames: SseFrames;
  readonly begun: boolean;
}

/** AGT-10: before the first event only events count; after it any byte, a comment too, is a sign of life. */
const readOn = async ({ spec, watch, chunks, frames, begun }: Reading): Promise<Read> => {
  const waited = watch.wait(begun ? 'idle' : 'first-event');
  const chunk = await chunks.next();
  waited();
  if (chunk.is === 'broken') return { items: whyBroken(watch, spec, chunk.detail), over: true };
  const items = chunk.is === 'bytes' ? frames.feed(chunk.bytes) : frames.end();
  return { items, over: chunk.is === 'end' || items.at(-1)?.kind === 'cut' };
};

const whyBroken = (watch: RunWatch, { timeouts }: AgentSpec, detail: string): readonly AgentItem[] => {
  const ended = watch.ended();
  const item = ended
    ? cutFor(ended, { ...timeouts, totalMs: watch.totalMs() })
    : cut('hub/upstream-truncated', `the agent closed the connection: ${detail}`);
  return item ? [item] : [];
};
