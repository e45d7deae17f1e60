/** Begins the run that a client asks for, if the thread is free for it. */
import { ok, refuse } from '@triptych/protocol';
import type { Result, RunAgentInput, ThreadId } from '@triptych/protocol';
import { findingOf, type BroughtBook, type BroughtBy } from '../core/brought.js';
import { answersTo, type CallAnswers } from '../core/call-answers.js';
import type { Finding } from '../core/findings.js';
import { fingerprintOf } from '../core/fingerprint.js';
import type { ImageLimits } from '../core/image-limits.js';
import { growsTooLarge, takeInput, type Intake } from '../core/intake.js';
import type { Admission, AdmitRequest } from '../core/ledger.js';
import { comesByItself, type CallsToAnswer, type Rider, type RunAgent } from '../core/ports.js';
import type { AdmittedRun, RunRecord, ThreadRecord } from '../core/run-record.js';
import { foldThread, type FoldedThread } from './fold-thread.js';
import type { PushOffers } from './push-offers.js';
import type { CarryDeps } from './run-order.js';

/** On what terms an agent is run for whoever asks. */
export interface RunTerms {
  readonly agent: RunAgent;
  /** The caller starts runs on threads of their own alone. */
  readonly mustOwn: boolean;
  readonly writable: readonly string[];
  /** The state as whoever asks was shown it. */
  readonly showState: (state: unknown) => unknown;
  readonly acceptProps: readonly string[];
  readonly acceptTools: readonly string[];
  /** Tool names the policy speaks of; a client may not bring one of its own under such a name. */
  readonly isPolicyTool: (name: string) => boolean;
  readonly imageLimits: ImageLimits;
}

/** The trail's record of calls that were answered though they are not the client's, for the step that admits the run. */
export type RecordForeign = (calls: readonly string[]) => Promise<readonly Rider[]>;

export interface RunRequest extends RunTerms {
  readonly thread: ThreadId;
  readonly input: RunAgentInput;
  readonly tenant: string;
  /** Who asks; the owner if the thread is new and no other is named. */
  readonly subject: string;
  readonly owner: string;
  readonly recordForeign: RecordForeign;
}

export type Begun =
  | {
      readonly kind: 'admitted';
      readonly admitted: AdmittedRun;
      readonly intake: Intake;
      readonly folded: FoldedThread;
    }
  | { readonly kind: 'attached'; readonly record: RunRecord; readonly thread: ThreadRecord };

/** A refused busy thread is worth another try after this, ms. */
const BUSY_RETRY_MS = 1_000;

/** What was found before the request was judged. */
interface Standing {
  readonly folded: FoldedThread;
  readonly open: CallsToAnswer | undefined;
  readonly answers: CallAnswers;
}

const standingFor = async (
  { log, closings }: CarryDeps,
  { thread, subject, input }: RunRequest,
): Promise<Standing> => {
  // First what waits, then the log: an answer that is stored in between is then known.
  const open = await closings.callsToAnswer(thread);
  const folded = await foldThread(log, thread);
  const known = new Set(folded.model.messages.map(({ id }) => id));
  return { folded, open, answers: answersTo(open, { subject, messages: input.messages, known }) };
};

const toolNames = ({ tools }: Intake) => (tools.length === 0 ? {} : { tools: tools.map(({ name }) => name) });

/** Threat 3: what does not count of a request is dropped, and an operator is told. */
const foundIn = ({ dropped }: Intake, by: BroughtBy): readonly Finding[] =>
  dropped.map((brought) => findingOf(brought, by));

/** AUD-36: what answers calls that are not the client's own is told in the trail, too. */
const foreignRiders = async (
  { ledger }: CarryDeps,
  { thread, tenant, recordForeign }: RunRequest,
  foreign: readonly string[],
): Promise<readonly Rider[]> => {
  if (foreign.length === 0) return [];
  const there = await ledger.thread(thread);
  // Whoever names another tenant's thread is not admitted, and its trail is not theirs to announce.
  return there && there.tenant !== tenant ? [] : recordForeign(foreign);
};

const admitRequest = (request: RunRequest, intake: Intake, riders: readonly Rider[]): AdmitRequest => {
  const { thread, tenant, owner, mustOwn, agent, input, subject: requester } = request;
  const { runId } = input;
  const fingerprint = fingerprintOf(agent.id, input);
  const record = { runId, fingerprint, requester, messages: intake.messages, ...toolNames(intake) };
  return { thread, tenant, owner, mustOwn, agentId: agent.id, record, riders };
};

/** The run that answers calls closes their batch in the step that admits it. */
const answering = (asked: AdmitRequest, open: CallsToAnswer | undefined): AdmitRequest => {
  if (!open) return asked;
  const { guards, riders } = open.answeredBy(asked.record.runId);
  const held = open.holds ? { resumes: open.batchId } : {};
  return { ...asked, ...held, guards, riders: [...(asked.riders ?? []), ...riders] };
};

/** Calls are unanswered: a run that was admitted before is still attached to, but none begins. */
const judgedOnly = async ({ ledger }: CarryDeps, asked: AdmitRequest): Promise<Admission> => {
  const prepared = await ledger.prepare(asked);
  return prepared.status === 'free' ? { status: 'guarded' } : prepared;
};

export interface BeginDeps extends CarryDeps {
  readonly brought: BroughtBook;
}

/** Refused, though the thread is there and theirs. */
const IS_THEIRS: ReadonlySet<Admission['status']> = new Set(['busy', 'guarded', 'waiting', 'conflict']);

export const beginRun = async (
  deps: BeginDeps,
  offers: PushOffers,
  request: RunRequest,
): Promise<Result<Begun>> => {
  const { thread, tenant, subject, agent, input } = request;
  const { runId } = input;
  const { folded, open, answers } = await standingFor(deps, request);
  const { messages: known, state } = folded.model;
  const shown = request.showState(state);
  const intake = takeInput(input, { ...request, ...answers, known, state, shown });
  if (!intake.ok) return intake;
  if (growsTooLarge(folded.model, intake.value, deps.maxModelBytes))
    return refuse('PAYLOAD_TOO_LARGE', { details: { limit: 'MAX_MODEL' } });
  const offer = { news: { tenant, agentId: agent.id, thread, runId }, order: { intake: intake.value } };
  const offered = comesByItself(agent) ? await offers.riders({ ...offer, agent }) : [];
  const told = await deps.brought.riders(thread, subject, foundIn(intake.value, { by: subject, runId }));
  const recorded = await foreignRiders(deps, request, answers.foreign);
  const asked = admitRequest(request, intake.value, [...offered, ...told, ...recorded]);
  const admission =
    answers.isWhole && (open?.alone ?? true)
      ? await deps.ledger.admit(answering(asked, open))
      : await judgedOnly(deps, asked);
  if (IS_THEIRS.has(admission.status))
    await deps.brought.keep(thread, subject, foundIn(intake.value, { by: subject }));
  return begunFrom(admission, { intake: intake.value, folded });
};

type Judged = Pick<Extract<Begun, { kind: 'admitted' }>, 'intake' | 'folded'>;

const begunFrom = (admission: Admission, judged: Judged): Result<Begun> => {
  switch (admission.status) {
    case 'admitted':
      return ok({ kind: 'admitted', admitted: admission, ...judged });
    case 'attached':
      return ok({ kind: 'attached', record: admission.record, thread: admission.thread });
    case 'conflict':
      return refuse('RUN_ID_CONFLICT');
    case 'busy':
    case 'guarded':
      return refuse('THREAD_BUSY', { retryAfterMs: BUSY_RETRY_MS });
    case 'waiting':
      return refuse('RESUME_REQUIRED', { details: { batchId: admission.batchId } });
    case 'elsewhere':
      return refuse('NOT_FOUND');
    case 'bound':
      return refuse('THREAD_BINDING_CONFLICT', { details: { agentId: admission.agentId } });
  }
};
