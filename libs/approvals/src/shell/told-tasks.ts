/** Reads tasks once, and shows them to as many people as are to be told. */
import type { Actor } from '@triptych/access';
import { ok, refuse, type Result, type TaskView } from '@triptych/protocol';
import { parseTaskId } from '../core/ids.js';
import { mayRead } from '../core/matter.js';
import type { ReadingDesk } from './desk.js';
import { loadReadable } from './load-readable.js';
import { showToMany } from './show.js';

/** A task as this person sees it, with its history; the same object for all who see it alike. */
export type ViewFor = (actor: Actor, taskId: string) => Result<TaskView>;

export const readTasks = async (desk: ReadingDesk, taskIds: readonly string[]): Promise<ViewFor> => {
  const batchIds = taskIds.flatMap((taskId) => parseTaskId(taskId)?.batchId ?? []);
  const { loaded } = await loadReadable(desk, [...new Set(batchIds)]);
  const policy = desk.policy();
  const shown = new Map(
    loaded.flatMap(({ batch, now }) =>
      batch.tasks.map((task) => {
        const seen = { batch, task, now };
        return [task.taskId, { seen, showTo: showToMany(policy, seen) }] as const;
      }),
    ),
  );
  return (actor, taskId) => {
    const found = shown.get(taskId);
    return found && mayRead({ ...found.seen, actor }) ? ok(found.showTo(actor)) : refuse('NOT_FOUND');
  };
};
