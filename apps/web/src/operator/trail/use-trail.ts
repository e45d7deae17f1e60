/** The records that the filters leave, page by page from the newest; older ones are added at the end. */
import type { Refusal } from '@triptych/protocol';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Page } from '../../shared/hub-api.js';
import { useSurface } from '../../shared/surface-context.js';
import type { AuditItem } from '../core/audit-record.js';

const PAGE = 100;

export interface Trail {
  readonly state: 'loading' | 'there' | { readonly refused: Refusal };
  readonly items: readonly AuditItem[];
  /** Undefined: that was all. */
  readonly older: (() => void) | undefined;
  readonly again: () => void;
}

interface Known {
  readonly items: readonly AuditItem[];
  readonly cursor: string | undefined;
}

const NOTHING: Known = { items: [], cursor: undefined };

export const useTrail = (query: string): Trail => {
  const { api } = useSurface();
  const [known, setKnown] = useState<Known>(NOTHING);
  const [state, setState] = useState<Trail['state']>('loading');
  /** An answer to a question that was asked before the latest one is not wanted. */
  const asked = useRef(0);
  const load = useCallback(
    async (before: Known) => {
      asked.current += 1;
      const turn = asked.current;
      setState('loading');
      const cursor = before.cursor === undefined ? '' : `&cursor=${encodeURIComponent(before.cursor)}`;
      const answer = await api.get<Page<AuditItem>>(`/v1/audit?limit=${PAGE}&${query}${cursor}`);
      if (turn !== asked.current) return;
      if (!answer.ok) return setState({ refused: answer.refusal });
      const { items, nextCursor } = answer.value;
      setKnown({ items: [...before.items, ...items], cursor: nextCursor });
      setState('there');
    },
    [api, query],
  );
  const again = useCallback(() => void load(NOTHING), [load]);
  useEffect(() => {
    setKnown(NOTHING);
    again();
    return () => {
      asked.current += 1;
    };
  }, [again]);
  const older = known.cursor === undefined ? undefined : () => state !== 'loading' && void load(known);
  return { state, items: known.items, older, again };
};
