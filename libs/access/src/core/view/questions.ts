/** Shows the questions a run ended in: the ones a surface may answer, and one placeholder for all others. */
import { createHash } from 'node:crypto';
import type { Interrupt } from '@triptych/protocol';
import { readArguments } from '../exact-json.js';
import { rulingFor } from '../ruling.js';
import type { Ruling } from '../ruling.js';
import { INTERRUPT_FIELDS, only, without } from './fields.js';
import { lookUp } from './long-map.js';
import { correlationRef } from './run-error.js';
import { isForeign } from './view.js';
import type { EntryToShow, ProjectedView } from './view.js';

const ID_LENGTH = 22;

/** The id under which a waiting customer sees whatever others are asked; it says nothing of what or how many. */
export const placeholderId = (threadId: string, runId: string): string =>
  `review-${createHash('sha256')
    .update(JSON.stringify([threadId, runId]))
    .digest('base64url')
    .slice(0, ID_LENGTH)}`;

const rulingOn = (view: ProjectedView, interrupt: Interrupt, at: number): Ruling => {
  const call = interrupt.toolCallId === undefined ? undefined : lookUp(view.calls, interrupt.toolCallId);
  return rulingFor(view.policy, {
    ...view.thread,
    source: 'interrupt',
    reason: interrupt.reason,
    ...(call ? { toolName: call.name, ...readArguments(call.text) } : {}),
    ...(interrupt.responseSchema === undefined ? {} : { responseSchema: interrupt.responseSchema }),
    at,
  });
};

/** The question without what the operator alone sees of it. */
const clean = (view: ProjectedView, interrupt: Interrupt): Interrupt => {
  const { toolCallId } = interrupt;
  const shown = only(interrupt, INTERRUPT_FIELDS);
  const named =
    toolCallId !== undefined && !lookUp(view.calls, toolCallId)?.shownAs
      ? without(shown, 'toolCallId')
      : shown;
  return isForeign(view, named) ? without(named, 'subagentRunId') : named;
};

const placeholder = (
  view: ProjectedView,
  { event, seq, at }: EntryToShow,
  rulings: readonly Ruling[],
): Interrupt => {
  const runId = String(event['runId']);
  const notice = rulings.find((ruling) => ruling.customer)?.customer;
  return {
    id: placeholderId(String(event['threadId']), runId),
    reason: 'hub:under_review',
    ...(notice?.text === undefined ? {} : { message: notice.text }),
    metadata: { hub: { ref: correlationRef(runId, seq), sentAt: at, ...notice } },
  };
};

/** ACC-22: a customer sees the questions put to customers, and that there are others, but not which. */
export const showQuestions = (
  view: ProjectedView,
  entry: EntryToShow,
  interrupts: readonly Interrupt[],
): readonly Interrupt[] => {
  if (view.surface === 'reviewer') return interrupts.map((interrupt) => clean(view, interrupt));
  const judged = interrupts.map((interrupt) => ({ interrupt, ruling: rulingOn(view, interrupt, entry.at) }));
  const isTheirs = ({ ruling }: { ruling: Ruling }) => ruling.audience === 'customer';
  const others = judged.filter((question) => !isTheirs(question)).map(({ ruling }) => ruling);
  return [
    ...judged.filter(isTheirs).map(({ interrupt }) => clean(view, interrupt)),
    ...(others.length > 0 ? [placeholder(view, entry, others)] : []),
  ];
};
