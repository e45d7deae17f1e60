/** Reads from a tool call's result whether the work was done: an answer alone is no success. */
import type { Message } from '@triptych/protocol';
import { textOf } from '../../shared/plain-text.js';

export type CallResult = 'done' | 'failed' | 'declined' | 'cancelled';

/** What agents write when the answer is that nothing was done. */
const UNDONE: ReadonlyMap<string, CallResult> = new Map([
  ['failed', 'failed'],
  ['error', 'failed'],
  ['declined', 'declined'],
  ['rejected', 'declined'],
  ['cancelled', 'cancelled'],
  ['canceled', 'cancelled'],
]);

const statusIn = (text: string): string | undefined => {
  try {
    const parsed = JSON.parse(text) as { status?: unknown } | null;
    return typeof parsed?.status === 'string' ? parsed.status.toLowerCase() : undefined;
  } catch {
    // Plain words are a result too; they name no status.
    return undefined;
  }
};

export const callResult = (message: Extract<Message, { role: 'tool' }>): CallResult => {
  if (message.error !== undefined) return 'failed';
  return UNDONE.get(statusIn(textOf(message.content, '')) ?? '') ?? 'done';
};
