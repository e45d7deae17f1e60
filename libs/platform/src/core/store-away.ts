/** Recognises the errors of a Redis client that mean "the store is away or full". */
import { StoreAway } from '@triptych/protocol';

/** First words of replies by which a Redis says that it cannot serve now, though it answers. */
const AWAY_REPLY =
  /^(LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|READONLY|MISCONF|OOM|NOREPLICAS|BUSY|UNKILLABLE)\b/;
const AWAY_NAMES = new Set(['MaxRetriesPerRequestError', 'AbortError']);
const AWAY_SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** The client's own words; it gives these errors neither name nor code. */
const AWAY_MESSAGE = /^(Connection is closed\.|Stream isn't writeable|Command timed out|Socket timeout\.)/;

const meansAway = (error: Error & { code?: unknown }): boolean =>
  AWAY_NAMES.has(error.name) ||
  AWAY_REPLY.test(error.message) ||
  AWAY_MESSAGE.test(error.message) ||
  (typeof error.code === 'string' && AWAY_SYSTEM_CODES.has(error.code));

/** A `StoreAway` when that is what the error means, else the error itself. */
export const asStoreAway = (error: unknown): unknown =>
  error instanceof Error && meansAway(error)
    ? new StoreAway(`The store is away: ${error.message}`, { cause: error })
    : error;

/** Awaits a call to the store; its absence comes out as `StoreAway`, everything else as it was. */
export const storeCall = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    throw asStoreAway(error);
  }
};
