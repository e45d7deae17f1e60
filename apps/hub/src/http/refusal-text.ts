/** Writes a refusal as a whole HTTP response, for connections that have no response object to write it. */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { httpStatusOf, type Refusal } from '@triptych/protocol';

export const refusalText = (no: Refusal): string => {
  const status = httpStatusOf(no.code);
  const body = JSON.stringify({ error: no });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
};

/** A peer has this long to take the answer and leave. */
const FAREWELL_MS = 2_000;

/** Nothing else ends a connection that HTTP has let go of. */
export const sayAndLeave = (socket: Duplex, text: string): void => {
  socket.end(text);
  setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
};
