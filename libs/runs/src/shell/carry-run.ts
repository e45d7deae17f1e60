/** Carries what an agent streams into the log: the run it was asked for, and whatever lawfully follows. */
import { beginJudge, type JudgeState, type Model, type RunErrorCode } from '@triptych/protocol';
import { inputFor } from '../core/compose-input.js';
import { hubEvent, hubRunError } from '../core/hub-events.js';
import { codeOf, judgeBatch, type Fault } from '../core/judge-batch.js';
import { wasNotTaken, type NotOpened } from '../core/not-taken.js';
import type { AgentItem, JudgedEvent, Rider } from '../core/ports.js';
import { endingOf, type RunEnding } from '../core/run-end.js';
import type { AdmittedRun } from '../core/run-record.js';
import { refusedRider } from '../adapters/refused-events.js';
import { admitFurther, storeLateError, type LateError } from './between-runs.js';
import { foldThread } from './fold-thread.js';
import { GateWatch } from './gate-watch.js';
import { gather } from './gather.js';
import { LeaseLost, throughGrace } from './grace.js';
import { HeldRun } from './held-run.js';
import type { CarryDeps, RunOrder } from './run-order.js';
import { RunWriter } from './run-writer.js';

/** Events in one write at most; with the log's batches this bounds one script's work. */
const MAX_BATCH = 64;
/** How carrying ended: with the run's end, undone, or taken away from us. */
export type Carried =
  | { readonly kind: 'ended'; readonly ending: RunEnding }
  | { readonly kind: 'forgotten' }
  /** Its agent comes for it by itself. */
  | { readonly kind: 'offered' }
  | { readonly kind: 'lost' };

export class RunCarrier {
  private readonly abort = new AbortController();
  private current: HeldRun | undefined;
  private cancelled = false;
  private lost = false;
  private lingering: NodeJS.Timeout | undefined;
  /** Milliseconds given before there was a stream to give them to. */
  private owedMs = 0;
  private prolong = (ms: number): void => void (this.owedMs += ms);

  constructor(
    private readonly deps: CarryDeps,
    private readonly order: RunOrder,
  ) {}

  /** The run's owner asked to stop: the connection is closed and the run ends `hub/cancelled`. */
  cancel(runId: string): void {
    if (this.current?.runId !== runId || this.current.isOver) return;
    this.cancelled = true;
    this.abort.abort();
  }

  async carry(): Promise<Carried> {
    const { admitted, folded } = this.order;
    const { thread, runId } = admitted.lease;
    try {
      const { model } = await throughGrace(this.deps, () => foldThread(this.deps.log, thread, folded));
      return await this.run(model);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      this.deps.report('run.lease-lost', { thread, run: runId, why: error.message });
      return { kind: 'lost' };
    } finally {
      clearTimeout(this.lingering);
      this.current?.stopBeating();
      this.abort.abort();
    }
  }

  private async run(model: Model): Promise<Carried> {
    const { admitted, agent, intake, resume } = this.order;
    const { thread: threadId, runId } = admitted.lease;
    const { input, statePatch } = inputFor({ threadId, runId, intake, resume: resume?.resume }, model);
    const first = this.hold({ ...admitted, statePatch }, model);
    await this.markSent();
    const opened = await agent.open(input, this.abort.signal);
    if (!opened.ok) return this.unopened(first, opened);
    this.prolong = (ms) => opened.prolong?.(ms);
    if (this.owedMs > 0) this.prolong(this.owedMs);
    const history = [...model.messages, ...admitted.record.messages];
    await this.relay(opened.events, this.judgeOf(history));
    return { kind: 'ended', ending: first.writer.ending ?? { status: 'failed' } };
  }

  /** RUN-59: a resume that may have reached its agent is on the record before it has. */
  private async markSent(): Promise<void> {
    const { admitted, resume } = this.order;
    const { ledger, closings } = this.deps;
    const isOurs = await throughGrace(this.deps, async () =>
      ledger.markSent(admitted.lease, resume ? await closings.sentFor(resume.batchId) : []),
    );
    if (!isOurs) throw new LeaseLost('taken before it was sent');
  }

  private judgeOf(history: Model['messages']): JudgeState {
    const { thread: threadId, runId } = this.order.admitted.lease;
    return beginJudge({ threadId, runId, ...this.deps.eventLimits, history });
  }

  private hold(run: AdmittedRun & { statePatch: RunWriter['run']['statePatch'] }, model: Model): HeldRun {
    const writer = new RunWriter(this.deps, { ...run, idempotent: this.order.agent.idempotent }, model);
    const { runId } = run.lease;
    this.current = new HeldRun(writer, {
      ledger: this.deps.ledger,
      onCancel: () => this.cancel(runId),
      onLost: () => {
        this.lost = true;
        this.abort.abort();
      },
      onProlonged: (ms) => this.prolong(ms),
      onError: (error) => this.deps.report('run.heartbeat-failed', { run: runId, error }),
    });
    return this.current;
  }

  private async unopened(first: HeldRun, opened: NotOpened): Promise<Carried> {
    const { thread } = this.order.admitted.lease;
    const { failure, status, retryAfterMs, detail } = opened;
    // PLT-20: what the agent answered is for operators, not for logs.
    const why = status === undefined ? { detail } : { status };
    this.deps.report('run.agent-unavailable', { thread, run: first.runId, failure, ...why });
    if (this.order.resume && wasNotTaken(opened) && !this.cancelled) {
      await first.writer.forget('hub/agent-unavailable', { message: detail, retryAfterMs });
      return { kind: 'forgotten' };
    }
    const code: RunErrorCode = this.cancelled ? 'hub/cancelled' : 'hub/agent-unavailable';
    await first.fail(code, first.writer.findings([detail]));
    return { kind: 'ended', ending: { status: 'failed', code } };
  }

  private async relay(events: AsyncIterable<AgentItem>, begun: JudgeState): Promise<void> {
    let state = begun;
    for await (const batch of gather(events, { limit: MAX_BATCH, abort: this.abort })) {
      if (this.abort.signal.aborted) break;
      const judged = judgeBatch(state, batch);
      state = judged.state;
      const isOpen = await this.store(judged.legal);
      if (judged.loose.length > 0) await this.current?.writer.warn(judged.loose);
      if (judged.fault) await this.stop(judged.fault);
      if (judged.fault || !isOpen) this.abort.abort();
      this.waitOnlySoLong();
    }
    await this.finish();
  }

  /** False: what followed a run could not be stored, and nothing more counts. */
  private async store(events: readonly JudgedEvent[]): Promise<boolean> {
    let left = events;
    while (left.length > 0) {
      const { current } = this;
      if (!current) return false;
      const open = current.isOver ? await this.between(current, left) : current;
      if (!open) return false;
      left = left.slice(open === 'stored' ? 1 : await open.write(left));
    }
    return true;
  }

  private async between(
    last: HeldRun,
    [next]: readonly JudgedEvent[],
  ): Promise<HeldRun | 'stored' | undefined> {
    const { run, model } = last.writer;
    if (next?.event.type === 'RUN_ERROR') {
      const stored = { json: next.json, source: 'agent' as const };
      const riders = last.writer.findings(next.warnings ?? []);
      await this.failLate(last, { ...endingOf(next.event), stored, riders });
      return 'stored';
    }
    if (next?.event.type !== 'RUN_STARTED') return undefined;
    const admitted = await admitFurther(this.deps, run, next);
    return admitted && this.hold({ ...admitted, statePatch: [] }, model);
  }

  private async stop(fault: Fault): Promise<void> {
    const { thread } = this.order.admitted.lease;
    const riders = fault.kind === 'illegal' ? await this.refused(fault) : [];
    if (fault.kind === 'illegal') this.deps.report('run.protocol-violation', { thread, rule: fault.rule });
    const { current } = this;
    if (current && !current.isOver)
      await current.fail(this.cancelled ? 'hub/cancelled' : codeOf(fault), riders);
    else if (current && !current.hasFailed && fault.kind === 'illegal' && fault.begins)
      await this.failLate(current, {
        stored: hubEvent(hubRunError(codeOf(fault))),
        code: codeOf(fault),
        riders,
      });
    else if (riders.length > 0)
      await throughGrace(this.deps, () => this.deps.log.append({ thread, events: [], riders }));
  }

  /** A result is a result, though the log has no place for it. */
  private async refused(fault: Extract<Fault, { kind: 'illegal' }>): Promise<readonly Rider[]> {
    const { lease } = this.order.admitted;
    const watch = new GateWatch(this.deps, this.current?.writer.run.lease ?? lease);
    const alarms = await watch.refused(this.current?.writer.model ?? { messages: [] }, [fault.text]);
    return [refusedRider(lease.thread, { ...fault, at: this.deps.clock.now() }), ...alarms];
  }

  private async failLate(last: HeldRun, error: LateError): Promise<void> {
    await storeLateError(this.deps, last.writer.run, error);
    last.failedLate(error.code);
  }

  /** Between runs an agent's stream is read on for a while; in a run its own limits hold. */
  private waitOnlySoLong(): void {
    clearTimeout(this.lingering);
    if (this.current?.isOver) this.lingering = setTimeout(() => this.abort.abort(), this.deps.lingerMs);
  }

  private async finish(): Promise<void> {
    if (!this.current || this.current.isOver) return;
    if (this.lost) throw new LeaseLost('a renewal found it gone');
    await this.current.fail(this.cancelled ? 'hub/cancelled' : 'hub/upstream-truncated');
  }
}
