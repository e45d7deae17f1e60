/** Marks the cursors that are given out, so that one that comes back is known to be ours. */
import { createHmac } from 'node:crypto';

/** 66 bits: nobody hits upon a mark by chance, and a forged one would open nothing. */
const MARK_LENGTH = 11;

export const sealCursor = (secret: Buffer, cursor: string): string => {
  const mark = createHmac('sha256', secret).update(`cursor ${cursor}`).digest('base64url');
  return `${mark.slice(0, MARK_LENGTH)}${cursor}`;
};

/** undefined: it is none that was given out. */
export const openCursor = (secret: Buffer, sealed: string): string | undefined => {
  const cursor = sealed.slice(MARK_LENGTH);
  return sealCursor(secret, cursor) === sealed ? cursor : undefined;
};
