/** The tasks a reviewer has picked to decide together. */
import type { TaskView } from '@triptych/protocol';
import { useCallback, useState } from 'react';
import { withPick } from './core/bulk.js';
import type { Queue } from './core/queue.js';

export interface Picks {
  /** In the order they were picked, as they are now. */
  readonly tasks: readonly TaskView[];
  /** Boxes are shown; also with nothing picked yet. */
  readonly picking: boolean;
  readonly has: (taskId: string) => boolean;
  readonly toggle: (taskId: string) => void;
  readonly begin: () => void;
  readonly end: () => void;
}

export const usePicks = ({ known }: Queue): Picks => {
  const [picks, setPicks] = useState<ReadonlySet<string>>(new Set());
  const [begun, setBegun] = useState(false);
  const toggle = useCallback((taskId: string) => setPicks((old) => withPick(old, taskId)), []);
  return {
    tasks: [...picks].flatMap((id) => known.get(id) ?? []),
    picking: begun || picks.size > 0,
    has: (taskId) => picks.has(taskId),
    toggle,
    begin: () => setBegun(true),
    end: () => {
      setBegun(false);
      setPicks(new Set());
    },
  };
};
