/** Reads how long an agent asks to be left alone. */
import type { IncomingHttpHeaders } from 'node:http';

const SECONDS = /^\d{1,9}$/u;

/** RUN-54: in seconds, or as a date by the agent's own clock; what cannot be read asks for nothing. Milliseconds. */
export const retryAfterMs = ({
  'retry-after': asked,
  date = '',
}: IncomingHttpHeaders): number | undefined => {
  if (asked === undefined) return undefined;
  if (SECONDS.test(asked)) return Number(asked) * 1_000;
  const wait = Date.parse(asked) - Date.parse(date);
  return wait > 0 ? wait : undefined;
};
