/** What of a tree is shut, and which of its nodes is looked at. */
import { useState } from 'react';
import { goTo, useUrlParam } from '../../shared/url-state.js';

export interface TreeState {
  readonly shut: ReadonlySet<string>;
  readonly toggle: (key: string) => void;
  readonly picked: string | undefined;
  readonly pick: (key: string | undefined) => void;
}

export const useTreeState = (): TreeState => {
  const [shut, setShut] = useState<ReadonlySet<string>>(new Set());
  const picked = useUrlParam('node');
  return {
    shut,
    picked,
    toggle: (key) =>
      setShut((old) => {
        const next = new Set(old);
        if (!next.delete(key)) next.add(key);
        return next;
      }),
    pick: (node) => goTo({ node }, 'replace'),
  };
};
