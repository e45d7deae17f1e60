/** Begins, carries, cancels and mourns runs. */
import { isStoreAway } from '@triptych/protocol';
import type { Result, ThreadId } from '@triptych/protocol';
import { findingOf, type Brought } from '../core/brought.js';
import type { Intake } from '../core/intake.js';
import type { LostRun } from '../core/ledger.js';
import {
  comesByItself,
  type CalledAgent,
  type Guard,
  type ResumeOrder,
  type Rider,
  type RunAgent,
} from '../core/ports.js';
import type { PushStore } from '../core/push-store.js';
import type { RunRecord } from '../core/run-record.js';
import { beginRun, type BeginDeps, type Begun, type RunRequest } from './begin-run.js';
import { RunCarrier, type Carried } from './carry-run.js';
import { closeRun, type ClosingRun } from './close-run.js';
import { foldThread } from './fold-thread.js';
import { LeaseLost } from './grace.js';
import { PushOffers } from './push-offers.js';
import { RunWriter } from './run-writer.js';

export interface ResumeRequest extends ResumeOrder {
  readonly thread: ThreadId;
  readonly agent: RunAgent;
  readonly runId: string;
  readonly guards: readonly Guard[];
  readonly riders: readonly Rider[];
}

/** Lost runs taken over in one sweep. */
const MAX_TAKEN = 20;

export interface RunsDeps extends BeginDeps {
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
  begin(request: RunRequest): Promise<Result<Begun>> {
    return beginRun(this.deps, this.offers, request);
  }

  /** Keeps what was tried with a request that was refused, on a thread that whoever asked may know. */
  async note(thread: ThreadId, by: string, tried: readonly Brought[]): Promise<void> {
    const found = tried.map((brought) => findingOf(brought, { by }));
    if (found.length > 0) await this.deps.brought.keep(thread, by, found);
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
    const { messages = [] } = request;
    const intake = { ...NOTHING, messages };
    const resume = messages.length > 0 ? {} : { resume: request.resume ?? [] };
    const thread = await this.deps.ledger.thread(threadId);
    if (!thread) return undefined;
    const { tenant, owner, agentId } = thread;
    const news = { tenant, agentId, thread: threadId, runId };
    const order = { intake, ...resume };
    const offer = comesByItself(agent) ? await this.offers.riders({ news, agent, order }) : [];
    const record = {
      runId,
      fingerprint: `resume:${batchId}:${runId}`,
      requester,
      resumes: batchId,
      messages,
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
    const carried = { admitted: admission, agent, intake, resume: { batchId, requester, ...resume } };
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

  /** Gives a run more time as a whole, in force within a heartbeat. False: no such run is active. */
  extend(
    thread: ThreadId,
    runId: string,
    more: { readonly ms: number; readonly agent: RunAgent },
  ): Promise<boolean> {
    const { ms, agent } = more;
    return comesByItself(agent)
      ? this.offers.extend(thread, runId, { ms, agent })
      : this.deps.ledger.extend(thread, runId, ms);
  }

  /** Ends the runs of carriers that went silent; answers how many. `agentOf` tells whether a resume may be repeated. */
  async mourn(agentOf: (agentId: string) => RunAgent | undefined): Promise<number> {
    const lost = await this.deps.ledger.takeLost(MAX_TAKEN);
    let ended = 0;
    for (const run of lost)
      if (await this.canBury(run, agentOf(run.thread.agentId)?.idempotent ?? false)) ended += 1;
    return ended;
  }

  /** False: thread or batch changed meanwhile. */
  close(closing: ClosingRun): Promise<boolean> {
    return closeRun(this.deps, closing);
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
