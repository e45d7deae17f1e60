/** Gives whoever may read a task the proof of what was decided on it. */
import type { Actor } from '@triptych/access';
import { ok, refuse, type Result } from '@triptych/protocol';
import { parseTaskId } from '../core/ids.js';
import { receiptOf, type Receipt } from '../core/signed-decision.js';
import type { Desk } from './desk.js';
import { matterIn } from './task-desk.js';

/** APR-65: before its answer stands there is none. */
export const receipt = async (desk: Desk, actor: Actor, taskId: string): Promise<Result<Receipt>> => {
  const name = parseTaskId(taskId);
  const loaded = name && (await desk.store.load(name.batchId));
  const matter = loaded && matterIn(loaded, actor, taskId);
  if (!matter?.ok || matter.value.task.status !== 'settled') return refuse('NOT_FOUND');
  const { batch, task } = matter.value;
  return ok(await receiptOf(batch.facts, task, (text) => desk.signer.sign(text)));
};
