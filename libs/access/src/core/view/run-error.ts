/** Says that a run failed in words fit for the surface, with a reference that operators can find it by. */
import { createHash } from 'node:crypto';
import { RUN_ERRORS } from '@triptych/protocol';
import type { RunErrorCode, Surface } from '@triptych/protocol';
import { trim } from './fields.js';
import { shownAs } from './view.js';
import type { EntryToShow, ProjectedView, Show } from './view.js';

const REF_LENGTH = 8;

/** Derived, so that every instance and every replay says the same. */
export const correlationRef = (runId: string, seq: number): string =>
  createHash('sha256').update(`${runId}#${seq}`).digest('hex').slice(0, REF_LENGTH);

const isHubCode = (code: unknown): code is RunErrorCode =>
  typeof code === 'string' && Object.hasOwn(RUN_ERRORS, code);

/** A word for a kind of failure, with no room for a sentence. */
const CODE = /^[A-Za-z][\w.:/-]{0,63}$/;

/** ACC-56: a code that is not the hub's stays inside the house, and what does not look like a code with the operators. */
export const errorCode = (surface: Surface, given: unknown): string => {
  if (surface === 'operator') return String(given);
  if (isHubCode(given)) return given;
  return surface === 'reviewer' && typeof given === 'string' && CODE.test(given) ? given : 'hub/agent-error';
};

/** ACC-23: no text of an agent's own, nor the hub's words in the mouth of an agent. */
export const errorWords = (
  { surface }: ProjectedView,
  { event, source }: Pick<EntryToShow, 'event' | 'source'>,
): { readonly message: string; readonly code: string } => {
  const said = event['code'];
  const isBorrowed = source === 'agent' && typeof said === 'string' && said.startsWith('hub/');
  const given = isBorrowed ? undefined : said;
  const code: RunErrorCode = isHubCode(given) ? given : 'hub/agent-error';
  return { message: RUN_ERRORS[code], code: errorCode(surface, given) };
};

export const showRunError: Show = (view, { event, seq, source }) => {
  const words = errorWords(view, { event, source });
  const unchanged = view.run.touched ? '' : ' Nothing was changed.';
  const message = `${words.message}${unchanged} Reference ${correlationRef(view.run.runId, seq)}.`;
  return shownAs(view, event, trim(event, { ...words, message }));
};
