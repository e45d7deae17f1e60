/** Short words for what people do at the same time. */
import type { TaskView } from '@triptych/protocol';
import type { Caller, Told } from '../stand/caller.js';
import type { Name, Office } from '../stand/office.js';

export interface Saying {
  readonly who: Name;
  /** At which hub. */
  readonly at?: number;
  readonly command?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly key?: string;
}

/** A decision, unless it is said otherwise, on what the task is now. */
export const say = (office: Office, task: TaskView, saying: Saying): Promise<Told<TaskView>> => {
  const { who, at = 0, command = 'decide', body = { verb: 'approve' }, key } = saying;
  const { taskId, rev, proposalHash } = task;
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  return office
    .as(who, at)
    .ask<TaskView>(`/v1/approvals/${taskId}/${command}`, { rev, proposalHash, ...body }, headers);
};

/** The same by somebody who has no place in the house. */
export const approveAs = (who: Caller, { taskId, rev, proposalHash }: TaskView): Promise<Told<TaskView>> =>
  who.ask<TaskView>(`/v1/approvals/${taskId}/decide`, { verb: 'approve', rev, proposalHash });

export const codesOf = (told: readonly Told<unknown>[]): readonly string[] =>
  told.map(({ code }) => code).toSorted();

let named = 0;
export const newThread = (what: string): string => `${what}-${(named += 1)}`;

export const PAY = { tool: 'pay', args: { amount: 1 } };
