/** Shows the state by the difference between what the surface saw of it and what it now may see. */
import { applyPatch, diffJson, sameJson } from '@triptych/protocol';
import type { AguiEvent, JsonPatch } from '@triptych/protocol';
import { cutTo, showsWhole } from '../shape.js';
import type { Shape } from '../shape.js';
import { PATCH, trim } from './fields.js';
import { hidden, isForeign, shownAs } from './view.js';
import type { ProjectedView, Show } from './view.js';

/** State belongs to the run, whoever changed it: the tag of a hidden subagent goes, the change stays. */
const untagged = (view: ProjectedView, event: AguiEvent): { readonly subagentRunId?: undefined } =>
  isForeign(view, event) ? { subagentRunId: undefined } : {};

export const showStateSnapshot: Show = (view, { event }) => {
  const { state: shape } = view.allowed;
  if (shape.empty) return hidden(view);
  const full = event['snapshot'];
  const shown = cutTo(shape, full);
  const next: ProjectedView = { ...view, state: { full, shown } };
  // ACC-74: that something is said at all would tell of what is hidden.
  if (!shape.whole && sameJson(shown, view.state.shown)) return hidden(next);
  const out = trim(event, { ...untagged(view, event), snapshot: shown });
  return shownAs(next, event, out);
};

const pointersOf = (step: JsonPatch[number]): readonly string[] =>
  'from' in step ? [step.path, step.from] : [step.path];

const isAllShown = (shape: Shape, patch: JsonPatch): boolean =>
  patch.every((step) => pointersOf(step).every((pointer) => showsWhole(shape, pointer)));

/** What the pointer's value is part of is shown as it is: there a step does to both states the same. */
const isWithinShown = (shape: Shape, pointer: string): boolean =>
  pointer !== '' && showsWhole(shape, pointer.slice(0, pointer.lastIndexOf('/')));

/** The agent's own steps where they mean the same here, else undefined; a test tells nothing. */
const forwarded = (shape: Shape, patch: JsonPatch): JsonPatch | undefined => {
  const clean = PATCH(patch) as JsonPatch;
  const told = clean.some(({ op }) => op === 'test') ? clean.filter(({ op }) => op !== 'test') : clean;
  const means = (pointer: string): boolean => shape.whole || isWithinShown(shape, pointer);
  return told.every((step) => pointersOf(step).every(means)) ? told : undefined;
};

/** ACC-17: filtering a patch by its paths diverges and leaks; the difference of two projections does neither. */
export const showStateDelta: Show = (view, { event }) => {
  const { state: shape } = view.allowed;
  if (shape.empty) return hidden(view);
  const patch = event['delta'] as JsonPatch;
  const patched = applyPatch(view.state.full, patch);
  // Readers keep what they had when a patch does not apply, and so does the view.
  if (!patched.ok) return hidden(view);
  const full = patched.value;
  const shown = cutTo(shape, full, view.state);
  const delta = forwarded(shape, patch) ?? diffJson(view.state.shown, shown);
  const next: ProjectedView = { ...view, state: { full, shown } };
  if (delta.length === 0) return hidden(next);
  const out = trim(event, { ...untagged(view, event), delta });
  if (delta === patch) return shownAs(next, event, out);
  return { view: next, shown: [out], seen: isAllShown(shape, patch) ? 'full' : 'redacted' };
};
