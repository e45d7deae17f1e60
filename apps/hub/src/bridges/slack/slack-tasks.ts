/** Finds the task of a button for whoever pressed it, as long as the card showed what would be decided. */
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import type { Approvals } from '@triptych/approvals';
import { APPROVALS, CHAT_VALUES } from '@triptych/assembly/nest';
import type { ChatValues } from '@triptych/bridges';
import { ok, refuse, type Result, type TaskView } from '@triptych/protocol';

export interface ShownTask {
  readonly task: TaskView;
  /** The revision that the card showed. */
  readonly rev: number;
}

@Injectable()
export class SlackTasks {
  constructor(
    @Inject(CHAT_VALUES) private readonly values: ChatValues,
    @Inject(APPROVALS) private readonly approvals: Approvals,
  ) {}

  /** For the trail; undefined: it is no value of ours. */
  taskIdIn(value: string): string | undefined {
    return this.values.open(value)?.taskId;
  }

  async find(actor: Actor, value: string): Promise<Result<ShownTask>> {
    const opened = this.values.open(value);
    if (!opened) return refuse('NOT_FOUND');
    const { taskId, rev } = opened;
    const task = await this.approvals.get(actor, taskId);
    if (!task.ok) return task;
    // Other figures than the card's are not approved, whatever has become of the revision.
    return opened.showed(task.value.proposalHash) ? ok({ task: task.value, rev }) : refuse('STALE_REVISION');
  }
}
