/** Reads from a tool call's result whether the work was done: an answer alone is no success. */
import type { Message } from '@triptych/protocol';
import { textOf } from '../../shared/plain-text.js';

export type CallResult = 'done' | 'failed' | 'declined' | 'cancelled';

export interface CallOutcome {
  readonly result: CallResult;
  /** The result names how it ended; of plain words nobody knows whether they mean yes. */
  readonly named: boolean;
  readonly reason?: string;
}

/** What agents write when the answer is that nothing was done. */
const UNDONE: ReadonlyMap<string, CallResult> = new Map([
  ['failed', 'failed'],
  ['error', 'failed'],
  ['declined', 'declined'],
  ['rejected', 'declined'],
  ['cancelled', 'cancelled'],
  ['canceled', 'cancelled'],
]);

const fieldsIn = (text: string): { readonly status?: unknown; readonly reason?: unknown } => {
  try {
    return (JSON.parse(text) as object | null) ?? {};
  } catch {
    // Plain words are a result too; they name no status.
    return {};
  }
};

export const callOutcome = (message: Extract<Message, { role: 'tool' }>): CallOutcome => {
  const { status, reason } = fieldsIn(textOf(message.content, ''));
  const named = typeof status === 'string';
  const result = named ? (UNDONE.get(status.toLowerCase()) ?? 'done') : 'done';
  return {
    result: message.error === undefined ? result : 'failed',
    named: named || message.error !== undefined,
    ...(typeof reason === 'string' && reason !== '' ? { reason } : {}),
  };
};
