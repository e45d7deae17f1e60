/** Says that a run failed in words fit for the surface, with a reference that operators can find it by. */
import { createHash } from 'node:crypto';
import { RUN_ERRORS } from '@triptych/protocol';
import type { RunErrorCode } from '@triptych/protocol';
import { trim } from './fields.js';
import { shownAs } from './view.js';
import type { ProjectedView, Show } from './view.js';

const REF_LENGTH = 8;

/** Derived, so that every instance and every replay says the same. */
export const correlationRef = (runId: string, seq: number): string =>
  createHash('sha256').update(`${runId}#${seq}`).digest('hex').slice(0, REF_LENGTH);

const isHubCode = (code: unknown): code is RunErrorCode =>
  typeof code === 'string' && Object.hasOwn(RUN_ERRORS, code);

/** ACC-23: no text of an agent's own; a code that is not the hub's stays inside the house. */
export const errorWords = (
  { surface }: ProjectedView,
  given: unknown,
): { message: string; code?: string } => {
  const code: RunErrorCode = isHubCode(given) ? given : 'hub/agent-error';
  const inside = surface === 'reviewer' && typeof given === 'string' ? given : code;
  return { message: RUN_ERRORS[code], code: inside };
};

export const showRunError: Show = (view, { event, seq }) => {
  const words = errorWords(view, event['code']);
  const unchanged = view.run.touched ? '' : ' Nothing was changed.';
  const message = `${words.message}${unchanged} Reference ${correlationRef(view.run.runId, seq)}.`;
  return shownAs(view, event, { ...trim(event), ...words, message });
};
