/** Turns a failure nobody expected into what its caller is told: the store is away, or it is our fault and has a correlation id. */
import { randomUUID } from 'node:crypto';
import type { Fields, Log } from '@triptych/platform';
import { isStoreAway, refusal, type Refusal } from '@triptych/protocol';

/** When the store is away nothing helps sooner. */
const STORE_RETRY_MS = 1_000;

export const refusalOf = (error: unknown, log: Log, where: Fields): Refusal => {
  if (isStoreAway(error)) return refusal('STORE_UNAVAILABLE', { retryAfterMs: STORE_RETRY_MS });
  const correlationId = randomUUID();
  log.error('request.failed', { correlationId, ...where, error });
  return refusal('INTERNAL', { details: { correlationId } });
};
