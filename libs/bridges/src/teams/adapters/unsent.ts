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

export const isUnsent = (failure: unknown): boolean => {
  const { cause } = failure as { cause?: { code?: unknown; errors?: readonly { code?: unknown }[] } };
  return [cause, ...(cause?.errors ?? [])].some((one) => UNSENT.includes(one?.code));
};
