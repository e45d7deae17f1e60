/** Reads in whose words a caller wants the events, where no input says it. */
import type { Words } from '@triptych/fanout';
import { ok, PROFILE_59, refuse, textsIn59, type Result } from '@triptych/protocol';

/** undefined: as they are. */
export const parseProfile = (raw: unknown): Result<Words | undefined> => {
  if (raw === undefined) return ok(undefined);
  return raw === PROFILE_59
    ? ok(textsIn59)
    : refuse('INVALID_INPUT', {
        message: `profile must be ${PROFILE_59}.`,
        details: { pointer: '/profile' },
      });
};
