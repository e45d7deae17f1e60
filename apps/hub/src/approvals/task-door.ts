/** Reads what is asked of a task, from either door, and asks the approvals. */
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import { type Approvals, parseDecide, parseRev, parseText } from '@triptych/approvals';
import { APPROVALS } from '@triptych/assembly/nest';
import { refuse, type Result, type TaskView } from '@triptych/protocol';

type Data = Readonly<Record<string, unknown>>;

export const TASK_COMMANDS = [
  'claim',
  'release',
  'heartbeat',
  'takeover',
  'comment',
  'decide',
  'assign',
  'extend',
  'undo',
] as const;
export type TaskCommandName = (typeof TASK_COMMANDS)[number];

export const isTaskCommand = (name: string): name is TaskCommandName =>
  (TASK_COMMANDS as readonly string[]).includes(name);

@Injectable()
export class TaskDoor {
  constructor(@Inject(APPROVALS) private readonly approvals: Approvals) {}

  /** `data` holds the taskId, and for some commands `rev` and more. */
  answer(actor: Actor, command: TaskCommandName, data: Data): Promise<Result<TaskView>> {
    const { taskId } = data;
    if (typeof taskId !== 'string')
      return Promise.resolve(refuse('INVALID_INPUT', { details: { pointer: '/taskId' } }));
    return this.ask(actor, taskId, { command, data });
  }

  private async ask(
    actor: Actor,
    taskId: string,
    { command, data }: { command: TaskCommandName; data: Data },
  ): Promise<Result<TaskView>> {
    switch (command) {
      case 'claim':
      case 'release':
      case 'heartbeat':
        return this.approvals[command](actor, taskId);
      case 'takeover':
        return this.takeover(actor, taskId, data);
      case 'comment': {
        const text = parseText(data, 'text');
        return text.ok ? this.approvals.comment(actor, taskId, text.value) : text;
      }
      case 'decide': {
        const decision = parseDecide(data);
        return decision.ok ? this.approvals.decide(actor, taskId, decision.value) : decision;
      }
      case 'assign':
      case 'extend':
      case 'undo':
        // Nobody may do these yet: no task lists them in `may`.
        return this.approvals.get(actor, taskId).then((task) => (task.ok ? refuse('FORBIDDEN') : task));
    }
  }

  private async takeover(actor: Actor, taskId: string, data: Data): Promise<Result<TaskView>> {
    const rev = parseRev(data.rev);
    if (!rev.ok) return rev;
    const reason = parseText(data, 'reason');
    if (!reason.ok) return reason;
    return this.approvals.takeover(actor, taskId, { rev: rev.value, reason: reason.value });
  }
}
