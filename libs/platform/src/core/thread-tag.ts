/** Names the Redis hash tag of a thread, so that all its keys live in one slot. */
import { createHash } from 'node:crypto';

const TAG_LENGTH = 22;

/** First 22 characters of base64url(sha256(threadId)); 132 bits, safe in keys and ids. */
export const threadTag = (threadId: string): string =>
  createHash('sha256').update(threadId).digest('base64url').slice(0, TAG_LENGTH);

/** Every key of a thread: `tt:{<tag>}:<part>`. */
export const threadKey = (threadId: string, part: string): string => `tt:{${threadTag(threadId)}}:${part}`;
export const taggedKey = (tag: string, part: string): string => `tt:{${tag}}:${part}`;
