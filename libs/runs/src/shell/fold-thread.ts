/** Folds a thread's log into what the agent should know: messages and state. */
import { emptyModel, modelStep } from '@triptych/protocol';
import type { Model, ThreadId } from '@triptych/protocol';
import type { LogToWrite } from '../core/ports.js';

export interface FoldedThread {
  readonly model: Model;
  /** The last entry folded. */
  readonly seq: number;
}

/** Entries a read; keeps one reply of the store below a few megabytes. */
const PAGE = 500;

const nothingFolded = (): FoldedThread => ({ model: emptyModel(), seq: 0 });

/** Goes on from what was folded before. */
export const foldThread = async (
  log: LogToWrite,
  thread: ThreadId,
  from: FoldedThread = nothingFolded(),
): Promise<FoldedThread> => {
  let { model, seq } = from;
  for (;;) {
    const page = await log.read(thread, seq, PAGE);
    for (const entry of page.entries) model = modelStep(model, entry.event);
    seq = page.entries.at(-1)?.seq ?? Math.max(seq, page.head);
    if (seq >= page.head) return { model, seq };
  }
};
