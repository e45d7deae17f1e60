/** Writes a refusal as a whole HTTP response, for connections that have no response object to write it. */
import { STATUS_CODES } from 'node:http';
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
