/** What a run or one of its sub-agents said, in the order it was said. */
import { typeOf } from './families.js';
import type { LogBook } from './log-book.js';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export interface Speaker {
  readonly runId: string;
  readonly subagentRunId?: string;
}

export const wordsOf = ({ stored }: LogBook, { runId, subagentRunId }: Speaker): readonly string[] => {
  const said = new Map<string, string>();
  let current = '';
  for (const entry of stored) {
    const { event } = entry;
    const type = typeOf(entry);
    if (type === 'RUN_STARTED') current = text(event.runId);
    if (current !== runId) continue;
    const id = text(event.messageId);
    if (type === 'TEXT_MESSAGE_START' && event.subagentRunId === subagentRunId) said.set(id, '');
    const before = said.get(id);
    if (type === 'TEXT_MESSAGE_CONTENT' && before !== undefined)
      said.set(id, `${before}${text(event.delta)}`);
  }
  return [...said.values()].filter((words) => words !== '');
};
