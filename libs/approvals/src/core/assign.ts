/** Gives a task to somebody by name, or to nobody again; whoever may answer it still may. */
import { forbidden } from '@triptych/access';
import type { MayNotReason, Result } from '@triptych/protocol';
import { ok, refuse } from '@triptych/protocol';
import { barrierTo, refusalOf, stillOpen } from './barrier.js';
import { NO_CHANGE, type Change } from './change.js';
import type { Matter } from './matter.js';
import { remember, rulingsOf, type OpenTask } from './task.js';

export interface AssignCommand {
  readonly rev: number;
  /** undefined: to nobody. */
  readonly to?: string;
}

/** APR-39: whoever could not decide it is not given it. */
const barred = ({ batch, task }: Matter, to: string): MayNotReason | undefined => {
  const forbidden = rulingsOf(task).flatMap(({ audience, forbid }) =>
    audience === 'reviewer' ? forbid : [],
  );
  const { requesters, owner } = batch.facts;
  if (forbidden.includes('requester') && (requesters.includes(to) || owner === to)) return 'requester';
  return forbidden.includes('editor') && task.edit?.by === to ? 'editor' : undefined;
};

const assigned = (task: OpenTask, to: string | undefined): OpenTask => {
  const { assignee: _assignee, ...rest } = task;
  return to === undefined ? rest : { ...rest, assignee: to };
};

/** `rev` stays: who is to look at a task changes nothing of what is asked. */
export const assign = (matter: Matter, { rev, to }: AssignCommand): Result<Change> => {
  const barrier = barrierTo(matter, 'assign');
  if (barrier) return refusalOf(barrier);
  const open = stillOpen(matter);
  if (!open.ok) return open;
  const task = open.value;
  if (task.assignee === to) return ok(NO_CHANGE);
  const why = to === undefined ? undefined : barred(matter, to);
  if (why) return forbidden(`they are its ${why}, who does not decide it`, { why });
  if (rev !== task.rev) return refuse('STALE_REVISION');
  const { subject: by } = matter.actor;
  const line = { at: matter.now, by, action: 'assign', ...(to === undefined ? {} : { text: to }) };
  const next = { ...assigned(task, to), history: remember(task, line) };
  return ok({
    tasks: [next],
    news: [{ action: 'assigned', by, taskId: task.taskId }],
    notAfter: task.expiresAt,
  });
};
