/** The desk beside one conversation: what that conversation waits for opens by itself, once. */
import { OPEN_TASK_STATES } from '@triptych/protocol';
import { useEffect, useRef } from 'react';
import { DeskPage } from '../reviewer/desk-page.js';
import { useSurface } from '../shared/surface-context.js';
import { goTo, useUrlParam } from '../shared/url-state.js';

/** A task the person left is not put before them again. */
const useAskedTask = (): void => {
  const { client } = useSurface();
  const thread = useUrlParam('thread');
  const isOpen = useUrlParam('task') !== undefined;
  const shown = useRef(new Set<string>());
  useEffect(() => {
    if (thread === undefined || isOpen) return undefined;
    return client.inbox(undefined, ({ items }) => {
      const asked = items.find(
        ({ taskId, threadId, state }) =>
          threadId === thread && OPEN_TASK_STATES.includes(state) && !shown.current.has(taskId),
      );
      if (asked === undefined) return;
      shown.current.add(asked.taskId);
      goTo({ task: asked.taskId }, 'replace');
    });
  }, [client, thread, isOpen]);
};

export const OneDesk = () => {
  useAskedTask();
  return <DeskPage />;
};
