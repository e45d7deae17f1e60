/** Cuts a page out of threads that are at hand, newest first, and names where the next one begins. */
import { ok, refuse, type Result } from '@triptych/protocol';
import type { ThreadRecord } from '@triptych/runs';

export interface ThreadPage {
  readonly items: readonly ThreadRecord[];
  /** Where the next page begins; opaque to whoever is given it. */
  readonly next?: string;
}

type Place = Pick<ThreadRecord, 'updatedAt'> & { readonly threadId: string };

/** Threads that changed in the same millisecond keep one order, so that a page can end between them. */
const compare = (a: Place, b: Place): number =>
  b.updatedAt - a.updatedAt || (a.threadId < b.threadId ? -1 : Number(a.threadId > b.threadId));

const cursorOf = ({ updatedAt, threadId }: Place): string =>
  Buffer.from(JSON.stringify([updatedAt, threadId])).toString('base64url');

const placeIn = (cursor: string): Place | undefined => {
  try {
    const [updatedAt, threadId] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    return typeof updatedAt === 'number' && typeof threadId === 'string'
      ? { updatedAt, threadId }
      : undefined;
  } catch {
    // Not of our making; told to the caller as such.
    return undefined;
  }
};

export const pageOfThreads = (
  threads: readonly ThreadRecord[],
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Result<ThreadPage> => {
  const after = cursor === undefined ? undefined : placeIn(cursor);
  if (cursor !== undefined && !after) return refuse('INVALID_INPUT', { details: { pointer: '/cursor' } });
  const rest = threads.filter((thread) => !after || compare(after, thread) < 0).toSorted(compare);
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return ok(last && rest.length > limit ? { items, next: cursorOf(last) } : { items });
};
