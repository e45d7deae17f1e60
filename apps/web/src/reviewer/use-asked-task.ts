/** Beside a conversation, the task it waits for opens by itself, once: who left it is not put before it again. */
import { OPEN_TASK_STATES, type TaskView } from '@triptych/protocol';
import { useEffect, useRef } from 'react';
import { goTo } from '../shared/url-state.js';

interface Beside {
  /** Undefined: beside none. */
  readonly thread: string | undefined;
  readonly known: ReadonlyMap<string, TaskView>;
  readonly selected: string | undefined;
}

export const useAskedTask = ({ thread, known, selected }: Beside): void => {
  const shown = useRef(new Set<string>());
  useEffect(() => {
    if (selected !== undefined) shown.current.add(selected);
    if (thread === undefined || selected !== undefined) return;
    const asked = [...known.values()].find(
      ({ taskId, threadId, state }) =>
        threadId === thread && OPEN_TASK_STATES.includes(state) && !shown.current.has(taskId),
    );
    if (asked) goTo({ task: asked.taskId }, 'replace');
  }, [thread, known, selected]);
};
