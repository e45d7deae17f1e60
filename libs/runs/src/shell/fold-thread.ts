/** Reads a thread's log: folded into what the agent should know, messages and state, or for what a run did in it. */
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

const beginningOf = async (log: LogToWrite, thread: ThreadId): Promise<FoldedThread> => {
  const { seq, entries } = await log.begin(thread);
  return { seq, model: entries.reduce((model, { event }) => modelStep(model, event), emptyModel()) };
};

/** Goes on from what was folded before, or from the newest snapshot. */
export const foldThread = async (
  log: LogToWrite,
  thread: ThreadId,
  from?: FoldedThread,
): Promise<FoldedThread> => {
  let { model, seq } = from ?? (await beginningOf(log, thread));
  for (;;) {
    const page = await log.read(thread, seq, PAGE);
    // What lies between was trimmed meanwhile; a newer snapshot holds it.
    if (page.firstSeq > seq + 1) return foldThread(log, thread);
    for (const entry of page.entries) model = modelStep(model, entry.event);
    seq = page.entries.at(-1)?.seq ?? Math.max(seq, page.head);
    if (seq >= page.head) return { model, seq };
  }
};

/** The tool calls begun after an entry, in order; what was trimmed since is left out. */
export const callsBegun = async (log: LogToWrite, thread: ThreadId, after: number): Promise<string[]> => {
  const calls: string[] = [];
  for (let seq = after; ;) {
    const page = await log.read(thread, seq, PAGE);
    for (const { event } of page.entries)
      if (event.type === 'TOOL_CALL_START') calls.push(String(event.toolCallId));
    seq = page.entries.at(-1)?.seq ?? page.head;
    if (seq >= page.head) return calls;
  }
};
