/** Shows the state by the difference between what the surface saw of it and what it now may see. */
import { applyPatch, diffJson } from '@triptych/protocol';
import type { AguiEvent, JsonPatch } from '@triptych/protocol';
import { cutTo, showsWhole } from '../shape.js';
import type { Shape } from '../shape.js';
import { trim, without } from './fields.js';
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

const isAllShown = (shape: Shape, patch: JsonPatch): boolean =>
  patch.every((step) => showsWhole(shape, step.path) && (!('from' in step) || showsWhole(shape, step.from)));

/** ACC-17: filtering a patch by its paths diverges and leaks; the difference of two projections does neither. */
export const showStateDelta: Show = (view, { event }) => {
  const { state: shape } = view.allowed;
  if (shape.empty) return hidden(view);
  const patch = event['delta'] as JsonPatch;
  const patched = applyPatch(view.state.full, patch);
  // Readers keep what they had when a patch does not apply, and so does the view.
  if (!patched.ok) return hidden(view);
  const full = patched.value;
  const out = trimTagged(view, event);
  if (shape.whole) return shownAs({ ...view, state: { full, shown: full } }, event, out);
  const shown = cutTo(shape, full, view.state);
  const delta = diffJson(view.state.shown, shown);
  const next: ProjectedView = { ...view, state: { full, shown } };
  if (delta.length === 0) return hidden(next);
  return { view: next, shown: [{ ...out, delta }], seen: isAllShown(shape, patch) ? 'full' : 'redacted' };
};
