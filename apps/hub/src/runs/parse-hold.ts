/** Reads how long a response may stay open over a question. */
import { ok, refuse, type Result } from '@triptych/protocol';

/** Longer than this a proxy in between will not wait anyway, s. */
const MAX_HOLD_S = 600;

/** Milliseconds. */
export const parseHold = (raw: unknown): Result<number> => {
  if (raw === undefined) return ok(0);
  const seconds = typeof raw === 'string' && /^\d{1,3}$/u.test(raw) ? Number(raw) : NaN;
  return seconds <= MAX_HOLD_S
    ? ok(seconds * 1000)
    : refuse('INVALID_INPUT', {
        message: `hold must be a whole number of seconds up to ${MAX_HOLD_S}.`,
        details: { pointer: '/hold' },
      });
};
