/** Answers what Node answers by itself before a request exists: with the one refusal, where a code says it. */
import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { refusal } from '@triptych/protocol';
import { refusalText, sayAndLeave } from './refusal-text.js';

/** HTTP's own word: no code of ours tells whoever was slow to try the same again. */
const TOO_LATE = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

const WHY: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers are too large.',
};

const answerTo = ({ code = '' }: NodeJS.ErrnoException): string => {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return TOO_LATE;
  const message = WHY[code] ?? 'This is not a request that HTTP knows.';
  return refusalText(refusal('INVALID_INPUT', { message, details: { pointer: '' } }));
};

/** Its first words are out, or it waits behind another one for the connection. */
const isUnderWay = (response: ServerResponse | undefined): boolean =>
  response !== undefined && !response.writableFinished && (response.headersSent || response.socket === null);

export const answerUnreadable = (server: Server): void => {
  /** Responses leave a connection in their order: when the last one is done, all are. */
  const last = new WeakMap<Duplex, ServerResponse>();
  server.on('request', ({ socket }, response) => void last.set(socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // What is being said to an earlier request must not be cut in two.
    if (!socket.writable || isUnderWay(last.get(socket))) return void socket.destroy();
    sayAndLeave(socket, answerTo(error));
  });
  // An expectation may be ignored; the doors then answer the request as any other.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // Node would answer a request without a host itself; the gate says it in our words.
  Object.assign(server, { requireHostHeader: false });
};
