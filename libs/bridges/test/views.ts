/** Tasks as bridges are told of them, made up for tests. */
import type { TaskView } from '@triptych/protocol';
import type { NoticedBatch, NoticedTask } from '../src/core/notice-task.js';

export const viewOf = (taskId: string, over: Partial<TaskView> = {}): TaskView => ({
  taskId,
  rev: 1,
  state: 'pending',
  threadId: 't-1',
  runId: 'r-1',
  agentId: 'bank',
  interruptId: 'i-1',
  source: 'interrupt',
  reason: 'tool_call',
  message: 'May I?',
  proposal: { toolName: 'transfer', args: { amount: 2_000, iban: 'CH93 0076' } },
  proposalHash: 'hash-1',
  audience: 'reviewer',
  groups: ['advisors'],
  priority: 50,
  requester: 'amelia',
  createdAt: 1_000,
  expiresAt: 9_000_000_000_000,
  votes: [],
  quorum: { needed: 1, have: 0 },
  batch: { batchId: taskId.slice(0, taskId.lastIndexOf('.')), state: 'open', open: 1, total: 1 },
  policy: { rule: 'large-transfer', version: 'v1', matched: [] },
  may: [],
  history: [],
  ...over,
});

export const taskOf = (view: TaskView, over: Partial<NoticedTask> = {}): NoticedTask => ({
  tenant: 'default',
  chat: true,
  view,
  ...over,
});

export const decided = (view: TaskView): TaskView => ({
  ...view,
  state: 'decided',
  decision: { kind: 'approved', by: ['rita'], at: 2_000 },
});

/** Batches that a test changes as it goes. */
export class Questions {
  private readonly batches = new Map<string, readonly NoticedTask[]>();
  private readonly runs = new Map<string, string>();

  put(...tasks: readonly NoticedTask[]): void {
    const [first] = tasks;
    if (first) this.batches.set(first.view.batch.batchId, tasks);
  }

  /** The run that carries the answers. */
  carriedBy(batchId: string, runId: string): void {
    this.runs.set(batchId, runId);
  }

  batch(batchId: string): Promise<NoticedBatch | undefined> {
    const tasks = this.batches.get(batchId);
    return Promise.resolve(
      tasks && { tasks, resumeRunId: this.runs.get(batchId), over: false, now: Date.now() },
    );
  }
}
