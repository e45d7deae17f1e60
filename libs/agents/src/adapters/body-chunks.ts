/** Reads an HTTP body as it is asked for, and a little ahead, so that what came before a broken connection is kept. */
import type { IncomingMessage } from 'node:http';

/** What a run may lag behind its agent: more holds the agent back, less loses the last words of one that dies. */
export const READ_AHEAD_BYTES = 64 * 1024;

export type Chunk =
  | { readonly is: 'bytes'; readonly bytes: Uint8Array }
  | { readonly is: 'end' }
  /** The connection broke, and all that came before was taken. */
  | { readonly is: 'broken'; readonly detail: string };

export interface BodyChunks {
  next(): Promise<Chunk>;
}

/** Node throws a stream's own buffer away when its socket breaks, so what arrives is queued here. */
export const bodyChunks = (response: IncomingMessage): BodyChunks => {
  const queue: Uint8Array[] = [];
  let queuedBytes = 0;
  let last: Chunk | undefined;
  let wake = (): void => undefined;

  const finish = (chunk: Chunk): void => {
    last ??= chunk;
    wake();
  };
  response.on('data', (chunk: Uint8Array) => {
    queue.push(chunk);
    queuedBytes += chunk.length;
    if (queuedBytes >= READ_AHEAD_BYTES) response.pause();
    wake();
  });
  response.on('end', () => finish({ is: 'end' }));
  response.on('error', (error) => finish({ is: 'broken', detail: error.message }));
  response.on('close', () => finish({ is: 'broken', detail: 'closed' }));

  const take = (bytes: Uint8Array): Chunk => {
    queuedBytes -= bytes.length;
    if (queuedBytes < READ_AHEAD_BYTES && response.isPaused()) response.resume();
    return { is: 'bytes', bytes };
  };
  return {
    next: async () => {
      for (;;) {
        const bytes = queue.shift();
        if (bytes) return take(bytes);
        if (last) return last;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
};
