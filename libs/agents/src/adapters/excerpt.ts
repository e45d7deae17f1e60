/** Quotes the beginning of an answer that was not a stream, for the operator who must mend it. */
import type { IncomingMessage } from 'node:http';
import { bodyChunks } from './body-chunks.js';

/** Holds the message of the usual JSON error body; a whole HTML page helps nobody. */
const EXCERPT_BYTES = 512;
/** A refusal is worth waiting for, not a body that never ends. */
const EXCERPT_WAIT_MS = 1000;

export const excerptOf = async (response: IncomingMessage): Promise<string> => {
  const giveUp = setTimeout(() => response.destroy(), EXCERPT_WAIT_MS);
  const read: Uint8Array[] = [];
  const chunks = bodyChunks(response);
  for (let bytes = 0; bytes < EXCERPT_BYTES;) {
    const chunk = await chunks.next();
    // What came before a broken end is all there is to quote.
    if (chunk.is !== 'bytes') break;
    read.push(chunk.bytes);
    bytes += chunk.bytes.length;
  }
  clearTimeout(giveUp);
  response.destroy();
  return Buffer.concat(read)
    .subarray(0, EXCERPT_BYTES)
    .toString('utf8')
    .replaceAll(/[\x00-\x20\x7f]+/g, ' ')
    .trim();
};
