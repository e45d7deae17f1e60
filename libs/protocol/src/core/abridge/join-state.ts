/** Tells the state that earlier runs left as one snapshot of it. */
import type { JsonPatch } from '../agui.js';
import { applyPatch } from '../json/apply-patch.js';
import { startOfLastRun, type ToldEntry } from './told-entry.js';

const isState = ({ event: { type } }: ToldEntry): boolean =>
  type === 'STATE_SNAPSHOT' || type === 'STATE_DELTA';

/** A patch that does not apply keeps the state there was. */
const stateAfter = (state: unknown, { event }: ToldEntry): unknown => {
  if (event.type === 'STATE_SNAPSHOT') return event['snapshot'];
  const patched = applyPatch(state, event['delta'] as JsonPatch);
  return patched.ok ? patched.value : state;
};

export const joinState = (entries: readonly ToldEntry[]): readonly ToldEntry[] => {
  const past = startOfLastRun(entries);
  const told = entries.slice(0, past).filter(isState);
  const last = told.at(-1);
  if (last === undefined || told.length < 2) return entries;
  const snapshot = told.reduce<unknown>(stateAfter, {});
  const joined: ToldEntry = { ...last, event: { type: 'STATE_SNAPSHOT', snapshot } };
  return entries.flatMap((entry, index) => {
    if (index >= past || !isState(entry)) return [entry];
    return entry === last ? [joined] : [];
  });
};
