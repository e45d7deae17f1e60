/** The tasks a reviewer has picked to decide together. */
import { useCallback, useState } from 'react';
import { withPick } from './core/bulk.js';

export interface Picks {
  /** In the order they were picked. */
  readonly ids: ReadonlySet<string>;
  /** Boxes are shown; also with nothing picked yet. */
  readonly picking: boolean;
  readonly toggle: (taskId: string) => void;
  readonly add: (taskIds: readonly string[]) => void;
  readonly begin: () => void;
  readonly end: () => void;
}

export const usePicks = (): Picks => {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [begun, setBegun] = useState(false);
  return {
    ids,
    picking: begun || ids.size > 0,
    toggle: useCallback((taskId: string) => setIds((old) => withPick(old, taskId)), []),
    add: (taskIds) =>
      setIds((old) => taskIds.reduce((picks, id) => (picks.has(id) ? picks : withPick(picks, id)), old)),
    begin: () => setBegun(true),
    end: () => {
      setBegun(false);
      setIds(new Set());
    },
  };
};
