/** Tells one surface of a thread on a line, from a position or an entry on. */
import type { Position, Surface, ThreadId } from '@triptych/protocol';
import type { Render } from '../core/delivery.js';
import type { Shown } from '../core/shown.js';
import type { StreamLine } from '../core/stream-line.js';
import type { JoinFrom } from '../shell/joined.js';
import type { Rooms } from '../shell/rooms.js';
import { EventStream, type StreamStep } from './event-stream.js';

interface StreamRequest {
  readonly line: StreamLine;
  readonly rooms: Rooms;
  readonly thread: ThreadId;
  readonly surface: Surface;
  /** The subject that reads. */
  readonly who?: string | undefined;
  readonly render?: Render | undefined;
}

export interface AttachRequest extends StreamRequest {
  /** As the client gave it. */
  readonly from?: Position | undefined;
}

export interface PlainRequest extends StreamRequest {
  /** Right after an entry of the log; without it the join prelude comes first. */
  readonly from?: { readonly afterSeq: number } | undefined;
  /** Says where the stream ends. */
  readonly until?: ((shown: Shown) => StreamStep) | undefined;
}

export interface OpenStream {
  /** Ends the stream after what was written so far. */
  end(): void;
}

interface Serving {
  readonly stream: EventStream;
  readonly from: JoinFrom | undefined;
  readonly tellRecovered: boolean;
}

const serve = async (
  { line, rooms, thread, surface }: StreamRequest,
  { stream, from, tellRecovered }: Serving,
): Promise<OpenStream> => {
  const joined = await rooms.join({ thread, surface, reader: stream, from });
  line.onceClosed(() => joined.leave());
  // The client may have gone while the room was built.
  if (!line.closed) {
    line.open(tellRecovered ? joined.recovered : undefined);
    stream.begin(joined.recovered);
    joined.start();
  }
  return { end: () => stream.end() };
};

/** A stream without events, no different from one that happens to have none. */
export const serveNothing = (line: StreamLine): void => {
  line.open();
  line.end();
};

/** The attach stream: positions as ids, a marked prelude, open until somebody leaves. */
export const serveAttach = (request: AttachRequest): Promise<OpenStream> => {
  const { line, who, from, render } = request;
  const stream = new EventStream({ line, who, positions: true, render });
  return serve(request, { stream, from, tellRecovered: true });
};

/** A plain AG-UI stream: bare events, each of them, in order. */
export const servePlain = (request: PlainRequest): Promise<OpenStream> => {
  const { line, who, from, render, until } = request;
  const stream = new EventStream({ line, who, positions: false, render, until });
  return serve(request, { stream, from, tellRecovered: false });
};
