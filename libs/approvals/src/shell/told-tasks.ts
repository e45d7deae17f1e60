/** Reads tasks once, and shows them to as many people as are to be told. */
import type { Actor } from '@triptych/access';
import { refuse, type Result, type TaskView } from '@triptych/protocol';
import { parseTaskId } from '../core/ids.js';
import type { ReadingDesk } from './desk.js';
import { loadReadable } from './load-readable.js';
import { show } from './show.js';
import { matterIn } from './task-desk.js';

/** A task as this person sees it, with its history. */
export type ViewFor = (actor: Actor, taskId: string) => Result<TaskView>;

export const readTasks = async (desk: ReadingDesk, taskIds: readonly string[]): Promise<ViewFor> => {
  const batchIds = taskIds.flatMap((taskId) => parseTaskId(taskId)?.batchId ?? []);
  const { loaded } = await loadReadable(desk, [...new Set(batchIds)]);
  const byId = new Map(loaded.map((one) => [one.batch.facts.batchId, one]));
  return (actor, taskId) => {
    const found = byId.get(parseTaskId(taskId)?.batchId ?? '');
    const matter = found ? matterIn(found, actor, taskId) : refuse('NOT_FOUND');
    return matter.ok ? { ok: true, value: show(desk.policy(), matter.value, true) } : matter;
  };
};
