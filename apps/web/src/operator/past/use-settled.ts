/** Values that wait: for their turn, or for their successor. */
import { useEffect, useRef, useState } from 'react';
import type { Fetched } from '../../shared/use-fetched.js';

/** Follows a value at most so often, to its last. */
export const useSettled = <T>(value: T, everyMs: number): T => {
  const [settled, setSettled] = useState(value);
  const moved = useRef(0);
  useEffect(() => {
    const wait = Math.max(0, moved.current + everyMs - Date.now());
    const timer = setTimeout(() => {
      moved.current = Date.now();
      setSettled(value);
    }, wait);
    return () => clearTimeout(timer);
  }, [value, everyMs]);
  return settled;
};

/** What was fetched last stays in sight until the next is there. */
export const useLast = <T>(fetched: Fetched<T>): T | undefined => {
  const last = useRef<T | undefined>(undefined);
  if (fetched.state === 'there') last.current = fetched.value;
  return last.current;
};
