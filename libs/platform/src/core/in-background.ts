/** Lets work go on without waiting for it, and reports it when it fails. */
import type { Log } from './log.js';

export const inBackground = (log: Log, name: string, work: Promise<unknown>): void => {
  work.catch((error: unknown) => log.error('background.failed', { work: name, error }));
};
