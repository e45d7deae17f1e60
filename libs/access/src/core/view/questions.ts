/** Shows the questions a run ended in: the ones a surface may answer, and one placeholder for all others. */
import { createHash } from 'node:crypto';
import type { Interrupt } from '@triptych/protocol';
import { readArguments } from '../exact-json.js';
import type { CustomerNotice } from '../policy.js';
import { rulingFor } from '../ruling.js';
import type { Ruling } from '../ruling.js';
import { INTERRUPT, leaving } from './fields.js';
import { lookUp } from './long-map.js';
import { correlationRef } from './run-error.js';
import { isForeign } from './view.js';
import type { EntryToShow, ProjectedView } from './view.js';

const ID_LENGTH = 22;

/** The id under which a surface sees whatever others are asked; it says nothing of what or how many. */
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
const clean = (view: ProjectedView, interrupt: Interrupt): readonly Interrupt[] => {
  const { toolCallId: call, subagentRunId: owner } = interrupt;
  const shown = leaving(INTERRUPT, interrupt, {
    toolCallId: call !== undefined && lookUp(view.calls, call)?.shownAs ? call : undefined,
    subagentRunId: isForeign(view, interrupt) ? undefined : owner,
  });
  return shown ? [shown] : [];
};

/** What a waiting customer is told of it; to others it is a matter for operators, and that is all. */
const noticeFor = ({ surface }: ProjectedView, rulings: readonly Ruling[]): CustomerNotice | undefined =>
  surface === 'customer' ? rulings.find((ruling) => ruling.customer)?.customer : undefined;

const placeholder = (
  view: ProjectedView,
  { event, seq, at }: EntryToShow,
  rulings: readonly Ruling[],
): Interrupt => {
  const runId = String(event['runId']);
  const notice = noticeFor(view, rulings);
  return {
    id: placeholderId(String(event['threadId']), runId),
    reason: 'hub:under_review',
    ...(notice?.text === undefined ? {} : { message: notice.text }),
    metadata: { hub: { ref: correlationRef(runId, seq), sentAt: at, ...notice } },
  };
};

/** ACC-22, ACC-55: each surface sees the questions that somebody on it may answer, and that there are others, but not which. */
const isTheirs = ({ surface }: ProjectedView, { audience, approvable }: Ruling): boolean =>
  surface === 'customer' ? audience === 'customer' : approvable;

export const showQuestions = (
  view: ProjectedView,
  entry: EntryToShow,
  interrupts: readonly Interrupt[],
): readonly Interrupt[] => {
  const judged = interrupts.map((interrupt) => ({ interrupt, ruling: rulingOn(view, interrupt, entry.at) }));
  const others = judged.map(({ ruling }) => ruling).filter((ruling) => !isTheirs(view, ruling));
  return [
    ...judged.flatMap(({ interrupt, ruling }) => (isTheirs(view, ruling) ? clean(view, interrupt) : [])),
    ...(others.length > 0 ? [placeholder(view, entry, others)] : []),
  ];
};
