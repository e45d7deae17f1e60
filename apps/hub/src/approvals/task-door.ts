/** Reads what is asked of a task, from either door, and asks the approvals. */
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import {
  type Approvals,
  parseAssign,
  parseDecide,
  parseExtend,
  parseRev,
  parseText,
} from '@triptych/approvals';
import { APPROVALS, POLICY, type PolicySource } from '@triptych/assembly/nest';
import { isPrintableId, ok, refuse, type Result, type TaskView } from '@triptych/protocol';
import { parseObject } from '../http/parse-object.js';
import { type AskedOnce, Once } from './once.js';

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

/** As `If-Match` quotes a revision, or bare. */
const REV_TEXT = /^(?:"\d{1,15}"|\d{1,15})$/u;

/** What was answered, and under which policy it was shown. */
interface Told {
  readonly task: TaskView;
  readonly policy: string;
}

const refuseAt = (pointer: string): Promise<Result<never>> =>
  Promise.resolve(refuse('INVALID_INPUT', { details: { pointer } }));

@Injectable()
export class TaskDoor {
  constructor(
    @Inject(APPROVALS) private readonly approvals: Approvals,
    @Inject(POLICY) private readonly policy: PolicySource,
    @Inject(Once) private readonly once: Once,
  ) {}

  /** `data` holds the taskId, and for some commands `rev`, `idempotencyKey` and more. */
  answer(actor: Actor, command: TaskCommandName, data: Data): Promise<Result<TaskView>> {
    const whole = parseObject(data);
    if (!whole.ok) return Promise.resolve(whole);
    const { idempotencyKey: key, ...request } = data;
    const { taskId, rev } = request;
    if (typeof taskId !== 'string') return refuseAt('/taskId');
    if (typeof rev === 'string' && !REV_TEXT.test(rev)) return refuseAt('/rev');
    if (key !== undefined && !isPrintableId(key)) return refuseAt('/idempotencyKey');
    const work = () => this.ask(actor, taskId, { command, data: request });
    // A heartbeat more harms nobody, and there are too many of them to keep an answer each.
    if (key === undefined || command === 'heartbeat') return work();
    return this.askOnce({ actor, key, request: [command, request] }, taskId, work);
  }

  private async askOnce(
    asked: AskedOnce & { readonly actor: Actor },
    taskId: string,
    work: () => Promise<Result<TaskView>>,
  ): Promise<Result<TaskView>> {
    const { again, answer } = await this.once.do(asked, async (): Promise<Result<Told>> => {
      const task = await work();
      return task.ok ? ok({ task: task.value, policy: this.policy.current().version }) : task;
    });
    if (!answer.ok) return answer;
    const { task, policy } = answer.value;
    if (!again) return ok(task);
    // An old answer is for those who may see the task now, and as they may see it now.
    const now = await this.approvals.get(asked.actor, taskId);
    return now.ok && policy === this.policy.current().version ? ok(task) : now;
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
      case 'undo': {
        const rev = parseRev(data.rev);
        return rev.ok ? this.approvals.undo(actor, taskId, rev.value) : rev;
      }
      case 'assign': {
        const asked = parseAssign(data);
        return asked.ok ? this.approvals.assign(actor, taskId, asked.value) : asked;
      }
      case 'extend': {
        const asked = parseExtend(data);
        return asked.ok ? this.approvals.extend(actor, taskId, asked.value) : asked;
      }
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
