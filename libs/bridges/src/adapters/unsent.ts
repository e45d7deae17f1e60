/** Tells what cannot have arrived from what may have. */

/** No connection came about: nothing was sent. */
const UNSENT: readonly unknown[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];
/** Errors are wrapped a few times at most. */
const MAX_CAUSES = 5;

interface Failure {
  readonly code?: unknown;
  readonly cause?: unknown;
  /** Of a host with several addresses. */
  readonly errors?: readonly unknown[];
}

export const isUnsent = (failure: unknown, deep = MAX_CAUSES): boolean => {
  if (typeof failure !== 'object' || failure === null || deep === 0) return false;
  const { code, cause, errors = [] } = failure as Failure;
  return UNSENT.includes(code) || [cause, ...errors].some((each) => isUnsent(each, deep - 1));
};
