/** The people who answer what a run asks, at the doors they have for it. */
import { until, type Person } from '@triptych/testkit';
import type { TaskView } from '@triptych/protocol';
import { stand } from './suite.js';

export const colleague = (): Person => stand().someone('reviewer', ['desk']);

export interface Answered {
  readonly status: number;
  readonly code?: string;
  readonly body: unknown;
}

export const answeredWith = async (response: Response): Promise<Answered> => {
  const body: unknown = await response.json();
  const { error } = body as { error?: { code: string } };
  return { status: response.status, body, ...(error ? { code: error.code } : {}) };
};

/** The thread's tasks as this person sees them, once there are so many. */
export const tasksOf = async (threadId: string, person = colleague(), count = 1): Promise<TaskView[]> => {
  const token = await stand().token(person);
  let found: TaskView[] = [];
  await until(async () => {
    const path = `/v1/approvals?threadId=${encodeURIComponent(threadId)}`;
    found = (await stand().product.json<{ items: TaskView[] }>(path, { token })).items;
    return found.length >= count;
  });
  return found;
};

export interface Verdict {
  readonly verb: 'approve' | 'reject' | 'respond' | 'cancel';
  readonly payload?: unknown;
  readonly editedArgs?: unknown;
  readonly reason?: string;
}

export const decideTask = async (
  { taskId, rev, proposalHash }: TaskView,
  verdict: Verdict,
  person = colleague(),
): Promise<Answered> => {
  const token = await stand().token(person);
  const path = `/v1/approvals/${encodeURIComponent(taskId)}/decide`;
  const body = { rev, proposalHash, ...verdict };
  return answeredWith(await stand().product.fetch(path, { token, body }));
};

/** Decides the thread's one open task. */
export const decideOn = async (
  threadId: string,
  verdict: Verdict,
  person = colleague(),
): Promise<Answered> => {
  const [task] = await tasksOf(threadId, person);
  if (!task) throw new Error('no task');
  return decideTask(task, verdict, person);
};
