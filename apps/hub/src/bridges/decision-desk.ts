/** Takes a decision that a program brings for a person it is linked with, to the door where that person decides. */
import { Inject, Injectable } from '@nestjs/common';
import { anyGlobMatches, type Actor } from '@triptych/access';
import type { Approvals } from '@triptych/approvals';
import { APPROVALS } from '@triptych/assembly/nest';
import type { DecisionKey } from '@triptych/bridges';
import { ok, refuse, type Result, type TaskView } from '@triptych/protocol';
import { TaskDoor } from '../approvals/task-door.js';
import { passageOf } from '../identity/passage.js';
import { LinkedCallers } from './linked-callers.js';
import { readDecision } from './read-decision.js';
import { type Sender, type SignedCall, SignedSenders } from './signed-senders.js';

type Call = SignedCall & Parameters<typeof passageOf>[0];

@Injectable()
export class DecisionDesk {
  constructor(
    @Inject(SignedSenders) private readonly senders: SignedSenders,
    @Inject(LinkedCallers) private readonly callers: LinkedCallers,
    @Inject(APPROVALS) private readonly approvals: Approvals,
    @Inject(TaskDoor) private readonly tasks: TaskDoor,
  ) {}

  async decide(call: Call): Promise<Result<TaskView>> {
    const sender = await this.senders.recognise(call);
    if (!sender.ok) return sender;
    const brought = readDecision(call.body);
    if (!brought.ok) return brought;
    const { taskId, onBehalfOf, decision } = brought.value;
    const actor = this.personFor(sender.value, onBehalfOf, call);
    if (!actor.ok) return actor;
    const within = await this.isWithin(sender.value.key, actor.value, taskId);
    if (!within.ok) return within;
    const heard = await this.senders.heed(sender.value, call.body);
    if (!heard.ok) return heard;
    const { idempotencyKey } = sender.value;
    return this.tasks.answer(actor.value, 'decide', { ...decision, taskId, idempotencyKey });
  }

  /** Linked under the key's own name, so that no program speaks for whom another one knows. */
  private personFor({ key, messageId }: Sender, onBehalfOf: string, call: Call): Result<Actor> {
    const through = { ...passageOf(call), via: 'webhook', requestId: `${key.id}/${messageId}` } as const;
    const actor = this.callers.actor({ kind: 'webhook', id: `${key.id}:${onBehalfOf}` }, through);
    if (!actor.ok || actor.value.tenant === key.tenant) return actor;
    return refuse('FORBIDDEN', { message: 'The person is of another tenant than the key.' });
  }

  /** A rule that changes meanwhile moves the revision, without which nothing is decided. */
  private async isWithin(key: DecisionKey, actor: Actor, taskId: string): Promise<Result<true>> {
    const task = await this.approvals.get(actor, taskId);
    if (!task.ok) return task;
    const { policy, proposal } = task.value;
    return anyGlobMatches(key.rules, policy.rule) && anyGlobMatches(key.tools, proposal.toolName ?? '')
      ? ok(true)
      : refuse('FORBIDDEN', { message: 'This key brings no decisions on such tasks.' });
  }
}
