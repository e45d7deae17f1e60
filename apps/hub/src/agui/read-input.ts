/** Reads the JSON of a first frame, if it is JSON and not deeper than an input may be. */
import { nestsDeeper } from '@triptych/fanout';

/** What an input adds around the values that have the limit: itself, and the member that holds one. */
const INPUT_LEVELS = 2;

/** undefined: it is none. */
export const jsonIn = (text: string, depth: number): unknown => {
  if (nestsDeeper(text, depth + INPUT_LEVELS)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the same as nothing.
    return undefined;
  }
};
