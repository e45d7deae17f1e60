/** Makes every id of a run from its thread and run, so that the same input gives the same stream. */
import { createHash } from 'node:crypto';

export interface RunIds {
  /** New in each run. A call and the question about it share the tag of their key. */
  ofRun(kind: 'call' | 'ask' | 'message' | 'reasoning' | 'result' | 'subagent', key: string): string;
  /** The same in all runs of the thread: what is shown again is the same card, what is answered the same question. */
  ofThread(kind: 'card' | 'activity' | 'question', key: string): string;
  /** Five digits that stand for the thread's business. */
  readonly reference: string;
}

/** AGT-22: ids reach every screen, so they tell neither a tool's name nor how much came before. */
export const runIds = (threadId: string, runId: string): RunIds => ({
  ofRun: (kind, key) => `${kind}-${tagOf(threadId, runId, key)}`,
  ofThread: (kind, key) => `${kind}-${tagOf(threadId, key)}`,
  reference: String(10_000 + (Number.parseInt(tagOf(threadId).slice(0, 8), 16) % 90_000)),
});

/** Enough hash that the ids of a thread do not meet, little enough to read aloud. */
const TAG_HEX_DIGITS = 12;
const tagOf = (...words: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, TAG_HEX_DIGITS);

/** The call that an interrupt asks about can be told from the interrupt's id, since an agent keeps nothing between runs. */
export const askedCall = (interruptId: string): string => interruptId.replace(/^ask-/, 'call-');
