/** Carries one run from its agent into the log, to its end. */
import { applyPatch, beginJudge, judge, judgeEnd } from '@triptych/protocol';
import type { JudgeState, Model, RunErrorCode } from '@triptych/protocol';
import { composeInput } from '../core/compose-input.js';
import type { AgentItem, AgentOpened, JudgedEvent } from '../core/ports.js';
import type { RunEnding } from '../core/run-end.js';
import { foldThread } from './fold-thread.js';
import { gather } from './gather.js';
import { startHeartbeat } from './heartbeat.js';
import { refusedRider } from '../adapters/refused-events.js';
import { lingerAfter, type Remaining } from './linger.js';
import { LeaseLost, RunWriter } from './run-writer.js';
import type { CarryDeps, RunOrder } from './run-order.js';

/** Events in one write at most; with the log's batches this bounds one script's work. */
const MAX_BATCH = 64;

/** How carrying ended: with the run's end, undone, or taken away from us. */
export type Carried =
  | { readonly kind: 'ended'; readonly ending: RunEnding }
  | { readonly kind: 'forgotten' }
  | { readonly kind: 'lost' };

const FIRST_SERVER_FAULT = 500;
/** Failures after which the input certainly did not reach the agent. */
const NEVER_SENT: ReadonlySet<string> = new Set(['unavailable', 'timeout-connect']);

export class RunCarrier {
  private readonly abort = new AbortController();
  private cancelled = false;

  constructor(
    private readonly deps: CarryDeps,
    private readonly order: RunOrder,
  ) {}

  /** The run's owner asked to stop: the connection is closed and the run ends `hub/cancelled`. */
  cancel(): void {
    this.cancelled = true;
    this.abort.abort();
  }

  async carry(): Promise<Carried> {
    const { lease } = this.order.admitted;
    const stop = startHeartbeat({
      ledger: this.deps.ledger,
      lease,
      onCancel: () => this.cancel(),
      onLost: () => this.abort.abort(),
      onError: (error) =>
        this.deps.report('run.heartbeat-failed', { run: lease.runId, error: String(error) }),
    });
    try {
      return await this.run(await foldThread(this.deps.log, lease.thread));
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      this.deps.report('run.lease-lost', { thread: lease.thread, run: lease.runId, why: error.message });
      return { kind: 'lost' };
    } finally {
      stop();
      this.abort.abort();
    }
  }

  private async run(model: Model): Promise<Carried> {
    const { admitted, agent, intake, requesters } = this.order;
    const patched = applyPatch(model.state ?? {}, intake.statePatch);
    const state = patched.ok ? patched.value : model.state;
    const statePatch = patched.ok ? intake.statePatch : [];
    const writer = new RunWriter(
      this.deps,
      { ...admitted, idempotent: agent.idempotent, statePatch, requesters },
      model,
    );
    const { threadId, runId } = { threadId: admitted.lease.thread, runId: admitted.lease.runId };
    const resume = this.order.resume?.resume;
    const input = composeInput({
      threadId,
      runId,
      history: model,
      intake,
      state,
      ...(resume ? { resume } : {}),
    });
    if (!(await this.deps.ledger.markSent(admitted.lease))) throw new LeaseLost('taken before it was sent');
    const opened = await agent.open(input, this.abort.signal);
    if (!opened.ok) return this.unopened(writer, opened);
    return this.relay(writer, opened.events);
  }

  private async unopened(writer: RunWriter, opened: Unopened): Promise<Carried> {
    const { runId, thread } = this.order.admitted.lease;
    this.deps.report('run.agent-unavailable', {
      thread,
      run: runId,
      failure: opened.failure,
      detail: opened.detail,
    });
    if (this.order.resume && neverSent(opened) && !this.cancelled) {
      await writer.forget('hub/agent-unavailable');
      return { kind: 'forgotten' };
    }
    return this.end(writer, this.cancelled ? 'hub/cancelled' : 'hub/agent-unavailable');
  }

  private async relay(writer: RunWriter, events: AsyncIterable<AgentItem>): Promise<Carried> {
    const { lease } = this.order.admitted;
    let state = beginJudge({
      threadId: lease.thread,
      runId: lease.runId,
      maxEventBytes: this.deps.maxEventBytes,
      maxSnapshotBytes: this.deps.maxSnapshotBytes,
      history: [...writer.model.messages, ...this.order.admitted.record.messages],
    });
    const items = gather(events, { limit: MAX_BATCH, abort: this.abort });
    for await (const batch of items) {
      const step = await this.take(writer, state, batch);
      if (step.kind === 'over') return { kind: 'ended', ending: step.ending };
      state = step.state;
      if (writer.ending) return this.linger(writer.ending, writer, { items, state, rest: step.rest });
    }
    return this.stopped(writer, state);
  }

  private async linger(ending: RunEnding, writer: RunWriter, stream: Remaining): Promise<Carried> {
    await lingerAfter({ deps: this.deps, order: this.order, abort: this.abort, model: writer.model }, stream);
    return { kind: 'ended', ending };
  }

  /** Judges a batch and stores what is legal. */
  private async take(writer: RunWriter, before: JudgeState, batch: readonly AgentItem[]): Promise<Step> {
    let state = before;
    const legal: JudgedEvent[] = [];
    for (const item of batch) {
      if (this.abort.signal.aborted) break;
      if (item.kind === 'cut') {
        await writer.write(legal);
        return writer.ending ? { kind: 'over', ending: writer.ending } : this.over(writer, item.code);
      }
      const judged = judge(state, item.text);
      if (!judged.ok)
        return this.violated(writer, [...legal, ...judged.legal], { text: item.text, ...judged });
      state = judged.state;
      legal.push(...judged.events);
    }
    const taken = await writer.write(legal);
    return { kind: 'on', state, rest: legal.slice(taken) };
  }

  private async violated(writer: RunWriter, legal: readonly JudgedEvent[], fault: Fault): Promise<Step> {
    const { lease } = this.order.admitted;
    await writer.write(legal);
    this.deps.report('run.protocol-violation', { thread: lease.thread, run: lease.runId, rule: fault.rule });
    if (writer.ending) return { kind: 'over', ending: writer.ending };
    const code = fault.rule === 'too-large' ? 'hub/too-large' : 'hub/protocol-violation';
    await writer.fail(code, [refusedRider(lease.thread, { ...fault, at: this.deps.clock.now() })]);
    return { kind: 'over', ending: writer.ending ?? { status: 'failed', code } };
  }

  private async stopped(writer: RunWriter, state: JudgeState): Promise<Carried> {
    if (this.cancelled) return this.end(writer, 'hub/cancelled');
    if (this.abort.signal.aborted) throw new LeaseLost('renewal answered lost');
    const { complete } = judgeEnd(state);
    return complete && writer.ending
      ? { kind: 'ended', ending: writer.ending }
      : this.end(writer, 'hub/upstream-truncated');
  }

  private async end(writer: RunWriter, code: RunErrorCode): Promise<Carried> {
    await writer.fail(code);
    return { kind: 'ended', ending: { status: 'failed', code } };
  }

  private async over(writer: RunWriter, code: RunErrorCode): Promise<Step> {
    await writer.fail(this.cancelled ? 'hub/cancelled' : code);
    return { kind: 'over', ending: { status: 'failed', code } };
  }
}

type Unopened = Extract<AgentOpened, { ok: false }>;

/** An agent that answers "no" (4xx) did nothing; one that failed (5xx) may have done something. */
const neverSent = ({ failure, status }: Unopened): boolean =>
  NEVER_SENT.has(failure) || (failure === 'rejected' && status !== undefined && status < FIRST_SERVER_FAULT);

interface Fault {
  readonly text: string;
  readonly rule: string;
  readonly message: string;
}

type Step =
  | { readonly kind: 'on'; readonly state: JudgeState; readonly rest: readonly JudgedEvent[] }
  | { readonly kind: 'over'; readonly ending: RunEnding };
