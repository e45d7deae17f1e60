/** Leaves out CUSTOM events that every surface which may see them has let go of already. */
import { jsonBytes } from '../json/json-size.js';
import { MAX_KEPT_CUSTOM, MAX_KEPT_CUSTOM_BYTES } from '../limits.js';
import type { ToldEntry } from './told-entry.js';

interface Later {
  readonly count: number;
  /** At least so many: what a surface is shown of them is no smaller. */
  readonly bytes: number;
}

const NONE: Later = { count: 0, bytes: 0 };

/** A policy lists them by name; what no subagent said is shown wherever its name is. */
export const dropOldCustom = (entries: readonly ToldEntry[]): readonly ToldEntry[] => {
  const laterBy = new Map<unknown, Later>();
  const isKept = ({ event }: ToldEntry): boolean => {
    if (event.type !== 'CUSTOM') return true;
    const { name, value, subagentRunId } = event;
    const later = laterBy.get(name) ?? NONE;
    if (later.count >= MAX_KEPT_CUSTOM || later.bytes > MAX_KEPT_CUSTOM_BYTES) return false;
    const bytes = later.bytes + jsonBytes({ type: 'CUSTOM', name, value });
    if (subagentRunId === undefined) laterBy.set(name, { count: later.count + 1, bytes });
    return true;
  };
  return entries.toReversed().filter(isKept).reverse();
};
