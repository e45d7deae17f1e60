/**
 * Tells a log in fewer entries. Whoever steps through them, under whatever policy, stands where all of them lead: the
 * same model, the same memory of what is hidden, and the same last event shown.
 */
import { dropOldCustom } from './drop-old-custom.js';
import { dropPassing } from './drop-passing.js';
import { dropRestated } from './drop-restated.js';
import { joinState } from './join-state.js';
import { mergeDeltas } from './merge-deltas.js';
import type { ToldEntry } from './told-entry.js';

/** Every pass alone keeps the promise, so their order is a matter of work saved. */
const PASSES = [dropPassing, dropOldCustom, joinState, mergeDeltas, dropRestated] as const;

export const abridge = (entries: readonly ToldEntry[]): readonly ToldEntry[] =>
  PASSES.reduce((told, pass) => pass(told), entries);
