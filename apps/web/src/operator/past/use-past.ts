/** The place in time that is looked at, kept in the address. */
import { useCallback } from 'react';
import { goTo, useUrlParam } from '../../shared/url-state.js';

export interface Past {
  /** Undefined: live. */
  readonly at: number | undefined;
  readonly goAt: (seq: number | undefined) => void;
}

const seqNamed = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/u.test(text) ? Number(text) : undefined;

export const usePast = (): Past => {
  const at = seqNamed(useUrlParam('at'));
  const goAt = useCallback((seq: number | undefined) => goTo({ at: seq?.toString() }, 'replace'), []);
  return { at, goAt };
};
