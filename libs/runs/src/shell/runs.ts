/** Begins, carries, cancels and mourns runs. */
import { isStoreAway, ok, refuse } from '@triptych/protocol';
import type { Result, RunAgentInput, ThreadId } from '@triptych/protocol';
import { fingerprintOf } from '../core/fingerprint.js';
import type { ImageLimits } from '../core/image-limits.js';
import { growsTooLarge, takeInput, type Intake } from '../core/intake.js';
import type { Admission, LostRun } from '../core/ledger.js';
import {
  comesByItself,
  type CalledAgent,
  type Guard,
  type ResumeOrder,
  type Rider,
  type RunAgent,
} from '../core/ports.js';
import type { PushStore } from '../core/push-store.js';
import type { AdmittedRun, RunRecord, ThreadRecord } from '../core/run-record.js';
import { RunCarrier, type Carried } from './carry-run.js';
import { foldThread, type FoldedThread } from './fold-thread.js';
import { LeaseLost } from './grace.js';
import { PushOffers } from './push-offers.js';
import type { CarryDeps } from './run-order.js';
import { RunWriter } from './run-writer.js';

export interface RunRequest {
  readonly thread: ThreadId;
  readonly agent: RunAgent;
  readonly input: RunAgentInput;
  readonly tenant: string;
  /** Who asks; the owner if the thread is new and no other is named. */
  readonly subject: string;
  readonly owner: string;
  readonly mustOwn: boolean;
  readonly writable: readonly string[];
  /** The state as whoever asks was shown it. */
  readonly showState: (state: unknown) => unknown;
  readonly acceptProps: readonly string[];
  readonly acceptTools: readonly string[];
  readonly isPolicyTool: (name: string) => boolean;
  readonly imageLimits: ImageLimits;
}

export interface ResumeRequest extends ResumeOrder {
  readonly thread: ThreadId;
  readonly agent: RunAgent;
  readonly runId: string;
  readonly guards: readonly Guard[];
  readonly riders: readonly Rider[];
}

export type Begun =
  | {
      readonly kind: 'admitted';
      readonly admitted: AdmittedRun;
      readonly intake: Intake;
      readonly folded: FoldedThread;
    }
  | { readonly kind: 'attached'; readonly record: RunRecord; readonly thread: ThreadRecord };

/** Lost runs taken over in one sweep. */
const MAX_TAKEN = 20;
/** A refused busy thread is worth another try after this, ms. */
const BUSY_RETRY_MS = 1_000;

export interface RunsDeps extends CarryDeps {
  readonly pushes: PushStore;
}

const NOTHING: Intake = { messages: [], statePatch: [], tools: [], context: [], dropped: [] };

export class Runs {
  /** One at most a thread. */
  private readonly carriers = new Map<ThreadId, RunCarrier>();

  private readonly offers: PushOffers;

  constructor(private readonly deps: RunsDeps) {
    this.offers = new PushOffers(deps);
  }

  /** Judges what a client asks for and, if all is well, takes the thread for it. */
  async begin(request: RunRequest): Promise<Result<Begun>> {
    const { thread, tenant, owner, mustOwn, agent, input } = request;
    const folded = await foldThread(this.deps.log, thread);
    const intake = takeInput(input, {
      ...request,
      knownMessageIds: new Set(folded.model.messages.map((message) => message.id)),
      state: folded.model.state,
      shown: request.showState(folded.model.state),
    });
    if (!intake.ok) return intake;
    if (growsTooLarge(folded.model, intake.value, this.deps.maxModelBytes))
      return refuse('PAYLOAD_TOO_LARGE', { details: { limit: 'MAX_MODEL' } });
    const { runId } = input;
    const { messages, dropped } = intake.value;
    const fingerprint = fingerprintOf(agent.id, input);
    const record = { runId, fingerprint, requester: request.subject, messages, ...toolNames(intake.value) };
    const offer = { news: { tenant, agentId: agent.id, thread, runId }, order: { intake: intake.value } };
    const riders = comesByItself(agent) ? await this.offers.riders({ ...offer, agent }) : [];
    const asked = { thread, tenant, owner, mustOwn, agentId: agent.id, record, riders };
    const admission = await this.deps.ledger.admit(asked);
    if (dropped.length > 0) this.deps.report('run.input-dropped', { thread, run: runId, dropped });
    return begunFrom(admission, intake.value, folded);
  }

  /** Carries an admitted run to the end of its agent's stream. */
  carry(begun: Extract<Begun, { kind: 'admitted' }>, agent: CalledAgent): Promise<Carried> {
    const { admitted, intake, folded } = begun;
    return this.track(admitted.lease.thread, new RunCarrier(this.deps, { admitted, agent, intake, folded }));
  }

  /** The same for who does not wait: never rejects; a failure is reported, and the lease then runs out. */
  async carryInBackground(begun: Extract<Begun, { kind: 'admitted' }>, agent: CalledAgent): Promise<void> {
    try {
      await this.carry(begun, agent);
    } catch (error) {
      const { thread, runId } = begun.admitted.lease;
      this.deps.report('run.failed', { thread, run: runId, error });
    }
  }

  /** Begins and carries one resume; undefined: another process was faster, or the thread is not free. */
  async resume(request: ResumeRequest): Promise<Carried | undefined> {
    const { thread: threadId, agent, runId, batchId, requester, guards, riders } = request;
    const thread = await this.deps.ledger.thread(threadId);
    if (!thread) return undefined;
    const { tenant, owner, agentId } = thread;
    const news = { tenant, agentId, thread: threadId, runId };
    const order = { intake: NOTHING, resume: request.resume };
    const offer = comesByItself(agent) ? await this.offers.riders({ news, agent, order }) : [];
    const record = {
      runId,
      fingerprint: `resume:${batchId}:${runId}`,
      requester,
      resumes: batchId,
      messages: [],
    };
    const asked = {
      thread: threadId,
      tenant,
      owner,
      mustOwn: false,
      agentId,
      record,
      resumes: batchId,
      guards,
      riders: [...riders, ...offer],
    };
    const admission = await this.deps.ledger.admit(asked);
    if (admission.status !== 'admitted') return undefined;
    if (comesByItself(agent)) return { kind: 'offered' };
    const carried = { admitted: admission, agent, intake: NOTHING, resume: request };
    return this.track(threadId, new RunCarrier(this.deps, carried));
  }

  /** True: the run will end soon. False: no such run is active. */
  async cancel(thread: ThreadId, runId: string): Promise<boolean> {
    const asked = await this.deps.ledger.requestCancel(thread, runId);
    const carrier = this.carriers.get(thread);
    carrier?.cancel(runId);
    if (asked && !carrier) await this.offers.stop(thread, runId);
    return asked;
  }

  /** Ends the runs of carriers that went silent; answers how many. `agentOf` tells whether a resume may be repeated. */
  async mourn(agentOf: (agentId: string) => RunAgent | undefined): Promise<number> {
    const lost = await this.deps.ledger.takeLost(MAX_TAKEN);
    let ended = 0;
    for (const run of lost)
      if (await this.canBury(run, agentOf(run.thread.agentId)?.idempotent ?? false)) ended += 1;
    return ended;
  }

  recordOf(thread: ThreadId, runId: string): Promise<RunRecord | undefined> {
    return this.deps.ledger.run(thread, runId);
  }

  /** The last seq of a thread's log. */
  async headOf(thread: ThreadId): Promise<number> {
    return (await this.deps.log.read(thread, Number.MAX_SAFE_INTEGER, 1)).head;
  }

  /** RUN-29: what is wrong with one thread is no reason to leave the others waiting. */
  private async canBury(run: LostRun, idempotent: boolean): Promise<boolean> {
    try {
      await this.bury(run, idempotent);
      return true;
    } catch (error) {
      if (isStoreAway(error)) throw error;
      this.deps.report('run.mourning-failed', { thread: run.lease.thread, run: run.lease.runId, error });
      return false;
    }
  }

  private async bury(run: LostRun, idempotent: boolean): Promise<void> {
    const { lease, record } = run;
    this.deps.report('run.lost', {
      thread: lease.thread,
      run: lease.runId,
      started: run.started,
      sent: run.sent,
    });
    const { model } = await foldThread(this.deps.log, lease.thread);
    const writer = new RunWriter(this.deps, { ...run, idempotent, statePatch: [] }, model);
    writer.started = run.started;
    try {
      if (record.resumes !== undefined && !run.sent) await writer.forget('hub/runner-lost');
      else await writer.fail('hub/runner-lost');
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
    }
  }

  private async track(thread: ThreadId, carrier: RunCarrier): Promise<Carried> {
    this.carriers.set(thread, carrier);
    try {
      return await carrier.carry();
    } finally {
      if (this.carriers.get(thread) === carrier) this.carriers.delete(thread);
    }
  }
}

const toolNames = ({ tools }: Intake) => (tools.length === 0 ? {} : { tools: tools.map(({ name }) => name) });

const begunFrom = (admission: Admission, intake: Intake, folded: FoldedThread): Result<Begun> => {
  switch (admission.status) {
    case 'admitted':
      return ok({ kind: 'admitted', admitted: admission, intake, folded });
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
