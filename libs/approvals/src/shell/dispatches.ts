/** Sends settled batches to their agents: plans the resume, and settles the batch with the run that took it. */
import { ok, type Message, type ResumeEntry } from '@triptych/protocol';
import type { Loaded } from '../core/approval-store.js';
import { requesterOf, type BatchStatus } from '../core/batch.js';
import { NO_CHANGE, withChange, type Change } from '../core/change.js';
import { agentGone, hasLateAnswer, planDispatch, undeliverable } from '../core/dispatch.js';
import { failureClassOf, type ResumeEnd } from '../core/failure-classes.js';
import { DISPATCH_GRACE_MS, LOOK_MS } from '../core/due.js';
import { isStuck } from '../core/mend.js';
import { voidAnswers } from '../core/recheck.js';
import { resumeEntries } from '../core/resume-entries.js';
import { toolMessages } from '../core/tool-messages.js';
import type { Guard, Rider } from '../core/rider.js';
import { statusAfter } from '../core/settlement.js';
import { withProofs, type Sign } from '../core/signed-decision.js';
import { amend, amendOnce } from './amend.js';
import { HUB } from '../core/task.js';
import { endNotes } from '../core/trail.js';
import { sentNote } from '../core/sent-note.js';
import type { Desk } from './desk.js';
import { rulesOn } from './show.js';

export interface DispatchPlan {
  readonly batchId: string;
  readonly threadId: string;
  readonly agentId: string;
  /** Who gave the input that began the chain of runs. */
  readonly requester: string;
  readonly runId: string;
  readonly attempt: number;
  readonly resume: readonly ResumeEntry[];
  /** What the run brings instead of the resume, where calls of the client's own tools are answered. */
  readonly messages?: readonly Message[];
  readonly guards: readonly Guard[];
  readonly riders: readonly Rider[];
}

type Standing = Awaited<ReturnType<Desk['standing']>>;

interface Made {
  readonly change: Change;
  /** Absent: nothing is sent, for some answer does not count any more. */
  readonly plan?: DispatchPlan;
}

export class Dispatches {
  constructor(private readonly desk: Desk) {}

  /** Who is to be sent its answers; undefined: there is no such batch, or its facts cannot be read. */
  async agentOf(batchId: string): Promise<string | undefined> {
    return (await this.desk.store.factsOf(batchId))?.agentId;
  }

  /** undefined: the batch is not ready, or somebody else has sent it. Nothing is true before the riders are stored. */
  async planDispatch(batchId: string): Promise<DispatchPlan | undefined> {
    const loaded = await this.desk.store.load(batchId);
    if (!loaded) return undefined;
    const made = await this.made(loaded, await this.desk.standing());
    if (!made) return undefined;
    const { batch, now } = loaded;
    if (!made.plan) {
      await amendOnce(this.desk, loaded, { change: made.change, cause: HUB });
      return undefined;
    }
    await this.desk.store.expectRecord(batch, now);
    await this.desk.store.watch(batch, now + DISPATCH_GRACE_MS);
    return made.plan;
  }

  /** APR-87: nothing is asked of the store here, so that whatever goes wrong is wrong with the batch, the next time too. */
  private async made(loaded: Loaded, standing: Standing): Promise<Made | undefined> {
    try {
      return await this.make(loaded, standing);
    } catch (error) {
      await this.setAside(loaded, error);
      return undefined;
    }
  }

  private async setAside(loaded: Loaded, error: unknown): Promise<void> {
    const { batch, now } = loaded;
    this.desk.report('approvals.undeliverable', { batch: batch.facts.batchId, error: String(error) });
    const change = undeliverable(batch, now, String(error));
    if (change) await amendOnce(this.desk, loaded, { change, cause: HUB });
  }

  private async make({ batch, now }: Loaded, standing: Standing): Promise<Made | undefined> {
    const planned = planDispatch(batch, now, this.desk.newId());
    if (!planned) return undefined;
    // Whoever sends and whoever voids change the same state: one of them is too late.
    const change = this.voided({ batch, now }, standing) ?? planned;
    if (change.status?.state !== 'dispatching') return { change };
    const { facts } = batch;
    const { runId, attempt } = change.status;
    const whole = withChange(batch, change);
    const sign: Sign = (text) => this.desk.signer.sign(text);
    const resume = await withProofs(resumeEntries(whole), whole, sign);
    const plan = {
      ...{ batchId: facts.batchId, threadId: facts.threadId, agentId: facts.agentId },
      ...{ requester: requesterOf(facts), runId, attempt, resume },
      ...(facts.frontend ? { messages: toolMessages({ batch: whole, entries: resume }) } : {}),
      ...this.desk.store.changeRiders(batch, change, HUB),
    };
    return { change, plan };
  }

  private voided({ batch, now }: Loaded, standing: Standing): Change | undefined {
    return voidAnswers(batch, { now, standing, ruleOn: rulesOn(this.desk.policy(), batch) });
  }

  /** APR-99: for whoever takes a resume later than it was planned. False: it would not be planned so any more. */
  async stands(batchId: string): Promise<boolean> {
    const loaded = await this.desk.store.load(batchId);
    if (loaded?.batch.status.state !== 'dispatching') return true;
    const { batch, now } = loaded;
    return !hasLateAnswer(batch, now) && !this.voided(loaded, await this.desk.standing());
  }

  /** Nobody is there to be asked: an operator is told, and a retry goes on when the agent is back. */
  async agentGone(batchId: string): Promise<void> {
    await amend(this.desk, { batchId, cause: HUB }, ({ batch, now }) =>
      ok(agentGone(batch, now) ?? NO_CHANGE),
    );
  }

  /** It was planned, and could not be begun. */
  async undeliverable(batchId: string, why: string): Promise<void> {
    await amend(this.desk, { batchId, cause: HUB }, ({ batch, now }) =>
      ok(undeliverable(batch, now, why) ?? NO_CHANGE),
    );
  }

  /** AUD-28: for the step after which the resume may reach its agent. */
  async sentFor(batchId: string): Promise<readonly Rider[]> {
    const loaded = await this.desk.store.load(batchId);
    if (loaded?.batch.status.state !== 'dispatching') return [];
    const { batch, now } = loaded;
    await this.desk.store.expectRecord(batch, now);
    return this.desk.store.recordRiders(batch, [sentNote(batch)]);
  }

  /** For the step that stores the resumed run's RUN_STARTED. */
  async startedFor(batchId: string): Promise<readonly Rider[]> {
    const loaded = await this.desk.store.load(batchId);
    if (loaded?.batch.status.state !== 'dispatching') return [];
    const { batch, now } = loaded;
    await this.desk.store.expectRecord(batch, now);
    return this.desk.store.statusRiders(batch, { ...loaded.batch.status, state: 'running' }, HUB);
  }

  /** For the step that stores the resumed run's terminal. */
  async settlementFor(end: ResumeEnd & { readonly batchId: string }): Promise<readonly Rider[]> {
    const loaded = await this.desk.store.load(end.batchId);
    const status = loaded && statusAfter(loaded.batch, end, loaded.now);
    if (!status) return [];
    await this.watchAfter(loaded, status);
    if (status.state !== 'done' && failureClassOf(end) === 'sets-differ')
      this.desk.report('approvals.sets-differ-failed', { batch: end.batchId, code: end.code });
    const { batch } = loaded;
    const riders = [
      ...this.desk.store.statusRiders(batch, status, HUB),
      ...this.desk.store.recordRiders(batch, endNotes(batch, status, end)),
    ];
    // A run that ended in questions hands the thread to their batch, which takes the place by its own rider.
    const frees = status.state === 'done' && end.outcome !== 'interrupt';
    return frees ? [...riders, this.desk.store.releasedRider(batch)] : riders;
  }

  private async watchAfter({ batch, now }: Loaded, status: BatchStatus): Promise<void> {
    await this.desk.store.expectRecord(batch, now);
    await this.desk.store.watch(batch, lookAt(status, now));
    if (isStuck(status)) await this.desk.store.flag(batch.facts);
  }
}

const lookAt = (status: BatchStatus, now: number): number => {
  if (status.state === 'ready') return status.notBefore;
  return status.state === 'retry_wait' && status.reopens ? now : now + LOOK_MS;
};
