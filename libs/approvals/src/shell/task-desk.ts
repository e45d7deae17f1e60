/** Does to one task what a person asks, and answers with the task as that person sees it. */
import type { Actor } from '@triptych/access';
import { ok, refuse, type Result, type TaskView } from '@triptych/protocol';
import { assign, type AssignCommand } from '../core/assign.js';
import { taskIn } from '../core/batch.js';
import { NO_CHANGE, type Change } from '../core/change.js';
import { claim, heartbeat, release, takeover, type TakeoverCommand } from '../core/claim.js';
import type { DecideCommand } from '../core/command.js';
import { comment } from '../core/comment.js';
import { decide } from '../core/decide.js';
import { extend, type ExtendCommand } from '../core/extend.js';
import { undo } from '../core/hold.js';
import { parseTaskId } from '../core/ids.js';
import { isTooLate, noteLate } from '../core/late.js';
import { mayRead, type Matter } from '../core/matter.js';
import type { Loaded } from '../core/approval-store.js';
import { amend } from './amend.js';
import { claimWithin, hasRoomToClaim } from './claims.js';
import type { Desk } from './desk.js';
import { rulesOn, show, unhidden } from './show.js';

type JudgeTask = (matter: Matter) => Result<Change>;

/** APR-3: what the caller may not know of answers like what is not there. */
export const matterIn = ({ batch, now }: Loaded, actor: Actor, taskId: string): Result<Matter> => {
  const task = taskIn(batch, taskId);
  const matter = task && { batch, task, actor, now };
  return matter && mayRead(matter) ? ok(matter) : refuse('NOT_FOUND');
};

const unchanged: JudgeTask = () => ok(NO_CHANGE);

export class TaskDesk {
  constructor(private readonly desk: Desk) {}

  /** One task with its history. */
  get(actor: Actor, taskId: string): Promise<Result<TaskView>> {
    return this.act(actor, taskId, unchanged);
  }

  claim(actor: Actor, taskId: string): Promise<Result<TaskView>> {
    return claimWithin(this.desk, { actor, taskId }, () => this.act(actor, taskId, claim));
  }

  release(actor: Actor, taskId: string): Promise<Result<TaskView>> {
    return this.act(actor, taskId, release);
  }

  heartbeat(actor: Actor, taskId: string): Promise<Result<TaskView>> {
    return this.act(actor, taskId, heartbeat);
  }

  takeover(actor: Actor, taskId: string, command: TakeoverCommand): Promise<Result<TaskView>> {
    const take = () => this.act(actor, taskId, (matter) => takeover(matter, command));
    return claimWithin(this.desk, { actor, taskId }, take);
  }

  comment(actor: Actor, taskId: string, text: string): Promise<Result<TaskView>> {
    return this.act(actor, taskId, (matter) => comment(matter, text));
  }

  assign(actor: Actor, taskId: string, command: AssignCommand): Promise<Result<TaskView>> {
    return this.act(actor, taskId, (matter) => assign(matter, command));
  }

  extend(actor: Actor, taskId: string, command: ExtendCommand): Promise<Result<TaskView>> {
    return this.act(actor, taskId, (matter) => extend(matter, command));
  }

  /** APR-89: whoever holds as many as they may gets the answer back all the same, and no claim with it. */
  async undo(actor: Actor, taskId: string, rev: number): Promise<Result<TaskView>> {
    const claims = parseTaskId(taskId) !== undefined && (await hasRoomToClaim(this.desk, { actor, taskId }));
    const undone = await this.act(actor, taskId, (matter) => undo(matter, rev, claims));
    if (claims && !undone.ok) await this.desk.claims.forget(actor, [taskId]);
    return undone;
  }

  async decide(actor: Actor, taskId: string, command: DecideCommand): Promise<Result<TaskView>> {
    const result = await this.act(actor, taskId, (matter) => {
      const rule = rulesOn(this.desk.policy(), matter.batch);
      const whole = unhidden(this.desk.policy(), matter, command);
      return decide(matter, whole, (args) => rule(matter.task, args));
    });
    if (!result.ok && isTooLate(result.refusal)) await this.noteLate(actor, taskId, command);
    return result;
  }

  /** The refusal stands whether or not this is written. */
  private async noteLate(actor: Actor, taskId: string, command: DecideCommand): Promise<void> {
    const batchId = parseTaskId(taskId)?.batchId ?? '';
    await amend(this.desk, { batchId, cause: actor }, (loaded) => {
      const matter = matterIn(loaded, actor, taskId);
      if (!matter.ok) return matter;
      return ok(noteLate(matter.value, unhidden(this.desk.policy(), matter.value, command)));
    });
  }

  private async act(actor: Actor, taskId: string, judge: JudgeTask): Promise<Result<TaskView>> {
    const name = parseTaskId(taskId);
    if (!name) return refuse('NOT_FOUND');
    const amended = await amend(this.desk, { batchId: name.batchId, cause: actor }, (loaded) => {
      const matter = matterIn(loaded, actor, taskId);
      return matter.ok ? this.explained(matter.value, judge(matter.value)) : matter;
    });
    if (!amended.ok) return amended;
    const after = matterIn(amended.value, actor, taskId);
    return after.ok ? ok(show(this.desk.policy(), after.value, true)) : after;
  }

  /** Whoever acted on an old revision gets the current one, to look again. */
  private explained(matter: Matter, judged: Result<Change>): Result<Change> {
    if (judged.ok || judged.refusal.code !== 'STALE_REVISION') return judged;
    return refuse('STALE_REVISION', { details: { task: show(this.desk.policy(), matter) } });
  }
}
