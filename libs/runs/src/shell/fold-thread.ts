/** Folds a thread's log into what the agent should know: messages and state. */
import { emptyModel, modelStep } from '@triptych/protocol';
import type { Model, ThreadId } from '@triptych/protocol';
import type { LogToWrite } from '../core/ports.js';

/** Entries a read; keeps one reply of the store below a few megabytes. */
const PAGE = 500;

export const foldThread = async (log: LogToWrite, thread: ThreadId): Promise<Model> => {
  let model = emptyModel();
  let after = 0;
  for (;;) {
    const page = await log.read(thread, after, PAGE);
    for (const entry of page.entries) model = modelStep(model, entry.event);
    after = page.entries.at(-1)?.seq ?? page.head;
    if (after >= page.head) return model;
  }
};
