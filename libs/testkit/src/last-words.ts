/** What a failing test prints of the processes it started (test/environment.js reads it). */
type Tell = () => string;

/** Enough to see how it came about; the rest is in the report of whoever looks closer. */
const LAST_LINES = 60;

const kept = globalThis as { lastWords?: Set<Tell> };

/** Until the returned stop. */
export const keepLastWords = (said: () => string): (() => void) => {
  const words = (kept.lastWords ??= new Set<Tell>());
  const tell: Tell = () => said().trimEnd().split('\n').slice(-LAST_LINES).join('\n');
  words.add(tell);
  return () => void words.delete(tell);
};
