/** Keeps a value's identity while its content stays the same, so that what hangs on it does not begin anew. */
import { sameJson } from '@triptych/protocol';
import { useRef } from 'react';

export const useSame = <T>(value: T): T => {
  const kept = useRef(value);
  if (!sameJson(kept.current, value)) kept.current = value;
  return kept.current;
};
