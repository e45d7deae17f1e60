/** Shows the state by the difference between what the surface saw of it and what it now may see. */
import { applyPatch, diffJson } from '@triptych/protocol';
import type { AguiEvent, JsonPatch } from '@triptych/protocol';
import { cutTo, showsWhole } from '../shape.js';
import type { Shape } from '../shape.js';
import { only, trim, without } from './fields.js';
import { hidden, isForeign, shownAs } from './view.js';
import type { ProjectedView, Show } from './view.js';

/** State belongs to the run, whoever changed it: the tag of a hidden subagent goes, the change stays. */
const trimTagged = (view: ProjectedView, event: AguiEvent): AguiEvent =>
  isForeign(view, event) ? without(trim(event), 'subagentRunId') : trim(event);

export const showStateSnapshot: Show = (view, { event }) => {
  const { state: shape } = view.allowed;
  if (shape.empty) return hidden(view);
  const full = event['snapshot'];
  const shown = cutTo(shape, full);
  const out = trimTagged(view, event);
  return shownAs(
    { ...view, state: { full, shown } },
    event,
    shown === full ? out : { ...out, snapshot: shown },
  );
};

/** The members of each kind of step that are sent on. */
const FORWARDED: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['add', new Set(['op', 'path', 'value'])],
  ['replace', new Set(['op', 'path', 'value'])],
  ['remove', new Set(['op', 'path'])],
  ['move', new Set(['op', 'from', 'path'])],
  ['copy', new Set(['op', 'from', 'path'])],
]);

const pointersOf = (step: JsonPatch[number]): readonly string[] =>
  'from' in step ? [step.path, step.from] : [step.path];

const isAllShown = (shape: Shape, patch: JsonPatch): boolean =>
  patch.every((step) => pointersOf(step).every((pointer) => showsWhole(shape, pointer)));

/** What the pointer's value is part of is shown as it is: there a step does to both states the same. */
const isWithinShown = (shape: Shape, pointer: string): boolean =>
  pointer !== '' && showsWhole(shape, pointer.slice(0, pointer.lastIndexOf('/')));

/** The step without what only its author put there; a test tells nothing, and one that AG-UI does not know is skipped. */
const asTold = (step: JsonPatch[number]): JsonPatch => {
  const names = FORWARDED.get(step.op);
  return names ? [only(step, names) as JsonPatch[number]] : [];
};

/** The agent's own steps where they mean the same here; else undefined. */
const forwarded = (shape: Shape, patch: JsonPatch): JsonPatch | undefined => {
  const told = patch.flatMap(asTold);
  if (
    !told.every((step) => pointersOf(step).every((pointer) => shape.whole || isWithinShown(shape, pointer)))
  )
    return undefined;
  return told.length === patch.length && told.every((step, index) => step === patch[index]) ? patch : told;
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
  const out = trimTagged(view, event);
  if (delta === patch) return shownAs(next, event, out);
  return { view: next, shown: [{ ...out, delta }], seen: isAllShown(shape, patch) ? 'full' : 'redacted' };
};
