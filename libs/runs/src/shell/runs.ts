/** Begins, carries, cancels and mourns runs. */
import { emptyModel, ok, refuse } from '@triptych/protocol';
import type { Model, Result, RunAgentInput, ThreadId } from '@triptych/protocol';
import { fingerprintOf } from '../core/fingerprint.js';
import { takeInput, type Intake } from '../core/intake.js';
import type { Admission, LostRun } from '../core/ledger.js';
import type { Guard, ResumeOrder, Rider, RunAgent } from '../core/ports.js';
import type { AdmittedRun, RunRecord, ThreadRecord } from '../core/run-record.js';
import { RunCarrier, type Carried } from './carry-run.js';
import { foldThread } from './fold-thread.js';
import type { CarryDeps } from './run-order.js';
import { LeaseLost, RunWriter } from './run-writer.js';

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
  readonly acceptProps: readonly string[];
  readonly acceptTools: readonly string[];
  readonly isPolicyTool: (name: string) => boolean;
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
      readonly model: Model;
    }
  | { readonly kind: 'attached'; readonly record: RunRecord; readonly thread: ThreadRecord };

/** Lost runs taken over in one sweep. */
const MAX_TAKEN = 20;
/** A refused busy thread is worth another try after this, ms. */
const BUSY_RETRY_MS = 1_000;

const NOTHING: Intake = { messages: [], statePatch: [], tools: [], context: [], dropped: [] };

export class Runs {
  private readonly carriers = new Map<string, RunCarrier>();

  constructor(private readonly deps: CarryDeps) {}

  /** Judges what a client asks for and, if all is well, takes the thread for it. */
  async begin(request: RunRequest): Promise<Result<Begun>> {
    const known = await this.deps.ledger.thread(request.thread);
    const model = known ? await foldThread(this.deps.log, request.thread) : emptyModel();
    const intake = takeInput(request.input, {
      knownMessageIds: new Set(model.messages.map((message) => message.id)),
      state: model.state,
      writable: request.writable,
      acceptProps: request.acceptProps,
      acceptTools: request.acceptTools,
      isPolicyTool: request.isPolicyTool,
    });
    if (!intake.ok) return intake;
    const { runId } = request.input;
    const fingerprint = fingerprintOf(request.agent.id, request.input);
    const record = {
      runId,
      fingerprint,
      requester: request.subject,
      messages: intake.value.messages,
      ...toolNames(intake.value),
    };
    const { thread, tenant, owner, mustOwn } = request;
    const admission = await this.deps.ledger.admit({
      thread,
      tenant,
      owner,
      mustOwn,
      agentId: request.agent.id,
      record,
    });
    if (intake.value.dropped.length > 0)
      this.deps.report('run.input-dropped', { thread, run: runId, dropped: intake.value.dropped });
    return begunFrom(admission, intake.value, model);
  }

  /** Carries an admitted run to its end. */
  carry(admitted: AdmittedRun, agent: RunAgent, intake: Intake): Promise<Carried> {
    const requesters = [admitted.record.requester];
    return this.track(admitted, new RunCarrier(this.deps, { admitted, agent, intake, requesters }));
  }

  /** The same for who does not wait: never rejects; a failure is reported, and the lease then runs out. */
  async carryInBackground(admitted: AdmittedRun, agent: RunAgent, intake: Intake): Promise<void> {
    const { runId, thread } = admitted.lease;
    try {
      await this.carry(admitted, agent, intake);
    } catch (error) {
      this.deps.report('run.failed', { thread, run: runId, error });
    }
  }

  /** Begins and carries one resume; undefined: another process was faster, or the thread is not free. */
  async resume(request: ResumeRequest): Promise<Carried | undefined> {
    const { thread: threadId, agent, runId, batchId } = request;
    const thread = await this.deps.ledger.thread(threadId);
    if (!thread) return undefined;
    const { tenant, owner, agentId } = thread;
    const fingerprint = `resume:${batchId}:${runId}`;
    const record = { runId, fingerprint, requester: request.requester, resumes: batchId, messages: [] };
    const { guards, riders } = request;
    const asked = {
      thread: threadId,
      tenant,
      owner,
      mustOwn: false,
      agentId,
      record,
      resumes: batchId,
      guards,
      riders,
    };
    const admission = await this.deps.ledger.admit(asked);
    if (admission.status !== 'admitted') return undefined;
    const order = {
      admitted: admission,
      agent,
      intake: NOTHING,
      requesters: [request.requester],
      resume: request,
    };
    return this.track(admission, new RunCarrier(this.deps, order));
  }

  /** True: the run will end soon. False: no such run is active. */
  async cancel(thread: ThreadId, runId: string): Promise<boolean> {
    const asked = await this.deps.ledger.requestCancel(thread, runId);
    this.carriers.get(`${thread} ${runId}`)?.cancel();
    return asked;
  }

  /** Ends the runs of carriers that went silent; answers how many. `agentOf` tells whether a resume may be repeated. */
  async mourn(agentOf: (agentId: string) => RunAgent | undefined): Promise<number> {
    const lost = await this.deps.ledger.takeLost(MAX_TAKEN);
    for (const run of lost) await this.bury(run, agentOf(run.thread.agentId)?.idempotent ?? false);
    return lost.length;
  }

  recordOf(thread: ThreadId, runId: string): Promise<RunRecord | undefined> {
    return this.deps.ledger.run(thread, runId);
  }

  /** The last seq of a thread's log. */
  async headOf(thread: ThreadId): Promise<number> {
    return (await this.deps.log.read(thread, Number.MAX_SAFE_INTEGER, 1)).head;
  }

  /** Runs carried by this process now. */
  get carrying(): number {
    return this.carriers.size;
  }

  private async bury(run: LostRun, idempotent: boolean): Promise<void> {
    const { lease, record } = run;
    this.deps.report('run.lost', {
      thread: lease.thread,
      run: lease.runId,
      started: run.started,
      sent: run.sent,
    });
    const model = await foldThread(this.deps.log, lease.thread);
    const writer = new RunWriter(
      this.deps,
      { ...run, idempotent, statePatch: [], requesters: [record.requester] },
      model,
    );
    writer.started = run.started;
    try {
      if (record.resumes !== undefined && !run.sent) await writer.forget('hub/runner-lost');
      else await writer.fail('hub/runner-lost');
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
    }
  }

  private async track(run: AdmittedRun, carrier: RunCarrier): Promise<Carried> {
    const key = `${run.lease.thread} ${run.lease.runId}`;
    this.carriers.set(key, carrier);
    try {
      return await carrier.carry();
    } finally {
      this.carriers.delete(key);
    }
  }
}

const toolNames = ({ tools }: Intake) => (tools.length === 0 ? {} : { tools: tools.map(({ name }) => name) });

const begunFrom = (admission: Admission, intake: Intake, model: Model): Result<Begun> => {
  switch (admission.status) {
    case 'admitted':
      return ok({ kind: 'admitted', admitted: admission, intake, model });
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
