/** One task as it is now: read whole with its history, and again whenever something about it changed. */
import type { TaskView } from '@triptych/protocol';
import { useEffect, useState } from 'react';
import { useFetched, type Fetched } from '../shared/use-fetched.js';
import { fateOf, isSettled } from './core/fate.js';

export interface OpenTask {
  readonly fetched: Fetched<TaskView>;
  /** What arrived last, by whichever way; `rev` does not move with every change. */
  readonly task: TaskView | undefined;
  readonly again: () => void;
}

/** While it is being carried out, news may come without a task frame. */
const LOOK_EVERY_MS = 5_000;

export const useTask = (taskId: string, live: TaskView | undefined): OpenTask => {
  const { fetched, again } = useFetched<TaskView>(`/v1/approvals/${encodeURIComponent(taskId)}`);
  const [task, setTask] = useState<TaskView | undefined>(undefined);
  useEffect(() => {
    if (live === undefined) return;
    setTask((old) => (old?.history && !live.history ? { ...live, history: old.history } : live));
    again();
  }, [again, live]);
  useEffect(() => {
    if (fetched.state === 'there') setTask(fetched.value);
  }, [fetched]);
  const moving = task !== undefined && fateOf(task).kind !== 'open' && !isSettled(fateOf(task));
  useEffect(() => {
    if (!moving) return undefined;
    const timer = setInterval(again, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [moving, again]);
  return { fetched, task, again };
};
