/** Writes a place in an index as a cursor, and reads it back. */
import { ok, refuse, type Result } from '@triptych/protocol';
import type { IndexPlace } from './approval-store.js';

export const cursorOf = ({ score, member }: IndexPlace): string =>
  Buffer.from(`${score} ${member}`).toString('base64url');

export const refuseCursor = (): Result<never> =>
  refuse('INVALID_INPUT', { message: 'This is no cursor of this list.', details: { pointer: '/cursor' } });

export const parseCursor = (cursor: string | undefined): Result<IndexPlace | undefined> => {
  if (cursor === undefined) return ok(undefined);
  const [, score, member] = /^(\d+) ([\w.-]+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return score === undefined || member === undefined ? refuseCursor() : ok({ score: Number(score), member });
};
