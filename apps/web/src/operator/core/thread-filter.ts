/** The filter of the thread list: `status:`, `agent:`, `owner:` and plain text. */
import type { ThreadSummary } from '@triptych/protocol';

const FIELDS: Readonly<Record<string, (thread: ThreadSummary) => string>> = {
  status: (thread) => thread.status,
  agent: (thread) => thread.agentId,
  owner: (thread) => thread.owner,
};

export const threadPasses = (thread: ThreadSummary, title: string, text: string): boolean =>
  text
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => {
      const [, field = '', value = ''] = /^(\w+):(.*)$/.exec(word) ?? [];
      const read = Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined;
      if (read) return read(thread).toLowerCase().includes(value);
      return [title, thread.threadId, thread.agentId, thread.owner].some((name) =>
        name.toLowerCase().includes(word),
      );
    });
