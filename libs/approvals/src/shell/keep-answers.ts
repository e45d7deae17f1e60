/** Keeps a client's answers to calls of its own tools while people answer other calls of the same run. */
import type { Actor } from '@triptych/access';
import { ok, refuse, type Result, type ToolMessage } from '@triptych/protocol';
import { callsWaiting, type Batch } from '../core/batch.js';
import { NO_CHANGE, type Change } from '../core/change.js';
import { takeAnswers } from '../core/frontend-calls.js';
import { amend } from './amend.js';
import type { Desk } from './desk.js';
import { recorded, type ResumeRecorded } from './resume-door.js';

export interface AnswersToKeep {
  readonly batchId: string;
  readonly answers: readonly ToolMessage[];
  /** The run's name, should they complete the batch. */
  readonly runId: string;
}

/** As much as one event may have: a batch is read whole by every list it is in. Characters of JSON. */
const MAX_KEPT = 1024 * 1024;

const named = (change: Change, runId: string): Change =>
  change.status?.state === 'ready' ? { ...change, status: { ...change.status, runId } } : change;

const judge = (
  { batch, now }: { readonly batch: Batch; readonly now: number },
  { answers, by }: { readonly answers: readonly ToolMessage[]; readonly by: string },
): Result<Change> => {
  const waiting = callsWaiting(batch);
  // Somebody was faster: where the batch stands now is the answer.
  if (waiting.length === 0) return ok(NO_CHANGE);
  const given = new Set(answers.map(({ toolCallId }) => toolCallId));
  if (waiting.some((call) => !given.has(call)))
    return refuse('RESUME_REQUIRED', { details: { open: waiting } });
  if (JSON.stringify(answers).length > MAX_KEPT)
    return refuse('PAYLOAD_TOO_LARGE', { details: { limit: 'MAX_EVENT' } });
  return ok(takeAnswers(batch, { answers, by, now }));
};

export const keepAnswers = async (
  desk: Desk,
  actor: Actor,
  { batchId, answers, runId }: AnswersToKeep,
): Promise<Result<ResumeRecorded>> => {
  const amended = await amend(desk, { batchId, cause: actor }, (loaded) => {
    const change = judge(loaded, { answers, by: actor.subject });
    return change.ok ? ok(named(change.value, runId)) : change;
  });
  return amended.ok ? ok(recorded(amended.value)) : amended;
};
