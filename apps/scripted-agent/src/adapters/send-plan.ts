/** Sends a planned stream as SSE, at its pace, as fast as the other side takes it. */
import { EventEncoder } from '@ag-ui/encoder';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Planned } from '../core/stage.js';

type Encodable = Parameters<EventEncoder['encodeSSE']>[0];

/** `speed` multiplies every delay: 1 is human pace, 0 is at once. */
export const sendPlan = async (
  plan: readonly Planned[],
  response: ServerResponse,
  speed: number,
): Promise<void> => {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  response.flushHeaders();
  try {
    await sendAll(plan, { response, speed, signal: gone.signal });
  } catch (error) {
    // Nobody reads any more, so nothing is left to send; everything else is a bug.
    if (!gone.signal.aborted) throw error;
  }
};

interface Line {
  readonly response: ServerResponse;
  readonly speed: number;
  readonly signal: AbortSignal;
}

const sendAll = async (plan: readonly Planned[], line: Line): Promise<void> => {
  // By hand, not by Accept: the encoder would take the any-type of curl and proxies for a wish for protobuf.
  const encoder = new EventEncoder();
  for (const planned of plan) {
    const delayMs = planned.delayMs * line.speed;
    if (delayMs > 0) await sleep(delayMs, undefined, { signal: line.signal });
    if ('cut' in planned) return drop(line.response);
    await write(encoder.encodeSSE(planned.event as Encodable), line);
  }
  line.response.end();
};

const write = async (frame: string, { response, signal }: Line): Promise<void> => {
  signal.throwIfAborted();
  if (!response.write(frame)) await once(response, 'drain', { signal });
};

/** What was written goes out before the socket does, so that the reader sees exactly that much. */
const drop = (response: ServerResponse): void => response.socket?.destroySoon();
