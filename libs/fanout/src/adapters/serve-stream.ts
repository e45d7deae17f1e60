/** Answers an HTTP request with one surface of a thread as a stream of events. */
import type { ServerResponse } from 'node:http';
import type { Position, Surface, ThreadId } from '@triptych/protocol';
import type { Clock } from '../core/ports.js';
import type { Shown } from '../core/shown.js';
import type { JoinFrom } from '../shell/joined.js';
import type { Pulse } from '../shell/pulse.js';
import type { Rooms } from '../shell/rooms.js';
import { EventStream, type StreamStep } from './event-stream.js';

interface StreamRequest {
  readonly response: ServerResponse;
  readonly rooms: Rooms;
  readonly thread: ThreadId;
  readonly surface: Surface;
  readonly pulse: Pulse;
  readonly clock: Clock;
  /** When the reader's token ends, and the stream with it; Unix milliseconds. */
  readonly expiresAt: number;
}

export interface AttachRequest extends StreamRequest {
  /** As the client gave it. */
  readonly from?: Position | undefined;
}

export interface PlainRequest extends StreamRequest {
  /** Right after an entry of the log; without it the join prelude comes first. */
  readonly from?: { readonly afterSeq: number } | undefined;
  /** What an event becomes on this stream: itself, something a smaller peer understands, more, or nothing. */
  readonly render?: ((json: string) => readonly string[]) | undefined;
  /** Says where the stream ends. */
  readonly until?: ((shown: Shown) => StreamStep) | undefined;
}

export interface OpenStream {
  /** Ends the stream after what was written so far. */
  end(): void;
}

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  // Some proxies hold streams back unless told not to.
  'x-accel-buffering': 'no',
};

interface Serving {
  readonly stream: EventStream;
  readonly from: JoinFrom | undefined;
  readonly tellRecovered: boolean;
}

const serve = async (
  request: StreamRequest,
  { stream, from, tellRecovered }: Serving,
): Promise<OpenStream> => {
  const { response, rooms, thread, surface, pulse } = request;
  const joined = await rooms.join({ thread, surface, reader: stream, from });
  const stopBeat = pulse.add((now) => stream.beat(now));
  const leave = (): void => {
    stopBeat();
    joined.leave();
  };
  response.once('close', leave);
  // The client may have gone while the room was built; then nothing tells of it any more.
  if (response.closed || response.destroyed) leave();
  else {
    response.writeHead(200, { ...HEADERS, ...(tellRecovered && { 'hub-recovered': joined.recovered }) });
    response.flushHeaders();
    stream.begin(joined.recovered);
    joined.start();
  }
  return { end: () => stream.end() };
};

/** A stream without events, no different from one that happens to have none. */
export const serveNothing = (response: ServerResponse): void => {
  response.writeHead(200, HEADERS);
  response.flushHeaders();
  response.end();
};

/** The attach stream: positions as ids, a marked prelude, open until somebody leaves. */
export const serveAttach = (request: AttachRequest): Promise<OpenStream> => {
  const { response, clock, from, expiresAt } = request;
  const stream = new EventStream({ response, positions: true, now: clock.now(), expiresAt });
  return serve(request, { stream, from, tellRecovered: true });
};

/** A plain AG-UI stream: bare events, each of them, in order. */
export const servePlain = (request: PlainRequest): Promise<OpenStream> => {
  const { response, clock, from, render, until, expiresAt } = request;
  const stream = new EventStream({
    response,
    positions: false,
    render,
    until,
    now: clock.now(),
    expiresAt,
  });
  return serve(request, { stream, from, tellRecovered: false });
};
