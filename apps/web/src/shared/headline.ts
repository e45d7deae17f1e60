/** What a task is called wherever it is named. */
import type { TaskView } from '@triptych/protocol';
import { readableName } from './readable-name.js';

/** The agent's own question, else the tool it wants to use. */
export const headlineOf = (task: Pick<TaskView, 'message' | 'proposal' | 'reason'>): string =>
  task.message?.trim() || readableName(task.proposal.toolName ?? task.reason);
