/** Writes one run's events into the log, in order and exactly once, for as long as its lease holds. */
import { modelStep } from '@triptych/protocol';
import type { AguiEvent, JsonPatch, Model, RunErrorCode } from '@triptych/protocol';
import { findingRiders } from '../adapters/findings.js';
import { askingAt, opensBatch, runThatAsks, type Asking } from '../core/asking.js';
import { warningsFound } from '../core/findings.js';
import { Growth } from '../core/growth.js';
import { hubEvent, hubRunError, hubRunStarted, hubStateDelta, startedByAgent } from '../core/hub-events.js';
import type { LeaseWrites, Prepared, RunLedger } from '../core/ledger.js';
import type { Closings, JudgedEvent, LogToWrite, NewEvent, Rider } from '../core/ports.js';
import type { Settled, Untaken } from '../core/not-taken.js';
import { endingOf, endToldBy, statusOf, type RunEnding } from '../core/run-end.js';
import type { AdmittedRun, RunRecord } from '../core/run-record.js';
import { resultIn } from '../core/tool-results.js';
import { GateWatch, type WatchDeps } from './gate-watch.js';
import { LeaseLost, throughGrace, type Grace } from './grace.js';

export interface WriterDeps extends Grace {
  readonly log: LogToWrite;
  readonly ledger: RunLedger;
  readonly closings: Closings;
  readonly report: WatchDeps['report'];
  /** JSON bytes a thread's messages, activities and state may have together. */
  readonly maxModelBytes: number;
}

export interface WriterRun extends AdmittedRun {
  readonly idempotent: boolean;
  /** State writes of the client, stored right after RUN_STARTED. */
  readonly statePatch: JsonPatch;
  /** Findings it has already. */
  readonly warned?: number;
  /** Tool calls it has begun already. */
  readonly calls?: readonly string[];
  /** It is not admitted yet: its first write does that. */
  readonly admission?: Pick<Prepared, 'guards' | 'riders'>;
}

/** One step into the log: events, and how the run ends with them. */
interface Step {
  readonly events: readonly NewEvent[];
  readonly ending?: RunEnding | undefined;
  /** What the ending leaves to be answered. */
  readonly asking?: Asking | undefined;
  readonly extra?: readonly Rider[];
}

export class RunWriter {
  started = false;
  ending: RunEnding | undefined;
  private seq = 0;
  /** What the beginning brings about is stored. */
  private begun = false;
  /** Known from the run's beginning, and nothing came from the agent since. */
  private atStart = false;
  private warned: number;
  private readonly calls: Set<string>;
  private readonly growth: Growth;
  private readonly gates: GateWatch;

  constructor(
    private readonly deps: WriterDeps,
    readonly run: WriterRun,
    public model: Model,
  ) {
    this.warned = run.warned ?? 0;
    this.calls = new Set(run.calls);
    this.growth = new Growth(deps.maxModelBytes);
    this.gates = new GateWatch(deps, { ...run.lease, brings: run.record.messages });
  }

  /** Stores the agent's events up to and including the run's terminal; answers how many were taken. */
  async write(events: readonly JudgedEvent[], loose: readonly string[] = []): Promise<number> {
    if (events.length === 0) return 0;
    const end = events.findIndex(({ event }) => endingOf(event) !== undefined);
    const taken = end < 0 ? events : events.slice(0, end + 1);
    const last = taken.at(-1);
    const ending = end < 0 || !last ? undefined : endingOf(last.event);
    const alarms = await this.gates.alarms(this.model, taken);
    const wasStarted = this.started;
    const stored = taken.flatMap((judged) => this.prepare(judged));
    if (this.growth.isTooLarge(this.model, stored)) {
      this.started = wasStarted;
      await this.fail('hub/too-large', alarms);
      return events.length;
    }
    const asking = askingAt(ending, { ...this.words(), ...this.model, begun: this.calls });
    const warnings = taken.flatMap(({ warnings: own = [] }) => own);
    const found = this.findings([...loose, ...warnings, ...(asking?.odd ?? [])]);
    const extra = [...found, ...alarms, ...this.gates.lateQuestions(this.model, ending)];
    await this.store({ events: stored, ending, asking, extra });
    return taken.length;
  }

  /** Warnings that belong to no event of the log. */
  async warn(warnings: readonly string[]): Promise<void> {
    const riders = this.findings(warnings);
    if (riders.length === 0) return;
    const { thread } = this.run.lease;
    await throughGrace(this.deps, () => this.deps.log.append({ thread, events: [], riders }));
  }

  /** For the write that stores what the warnings are about. */
  findings(warnings: readonly string[]): readonly Rider[] {
    if (warnings.length === 0) return [];
    const { thread, runId } = this.run.lease;
    const found = warningsFound(warnings, { runId, kept: this.warned });
    this.warned += found.length;
    const kept = this.ending || found.length === 0 ? [] : this.writes().warned(this.warned);
    return [...kept, ...findingRiders(thread, found)];
  }

  /** Ends the run in the hub's own words. */
  async fail(code: RunErrorCode, extra: readonly Rider[] = []): Promise<void> {
    const events = this.started ? [] : this.begin();
    await this.store({
      events: [...events, this.own(hubRunError(code))],
      ending: { status: 'failed', code },
      extra,
    });
  }

  /** Undoes the admission of a resume that its agent certainly did not take. */
  async forget(code: string, why: Untaken = {}): Promise<void> {
    await throughGrace(this.deps, async () => {
      const settled = await this.settlement({ status: 'failed', code }, { sent: false, ...why });
      await this.append([], [...this.writes().forgotten(), ...settled]);
    });
  }

  private prepare({ event, json }: JudgedEvent): NewEvent[] {
    if (event.type === 'TOOL_CALL_START') this.calls.add(String(event.toolCallId));
    if (event.type !== 'RUN_STARTED') {
      const late = this.started ? [] : this.begin();
      this.atStart &&= event.type === 'RUN_ERROR';
      this.model = modelStep(this.model, event);
      return [...late, { json, source: 'agent' }];
    }
    const own = startedByAgent(event, json, this.words());
    return this.opened(own.event, own.stored);
  }

  private begin(): NewEvent[] {
    const event = hubRunStarted(this.words());
    return this.opened(event, hubEvent(event));
  }

  private opened(event: AguiEvent, stored: NewEvent): NewEvent[] {
    this.started = true;
    this.atStart = true;
    this.model = modelStep(this.model, event);
    const { statePatch } = this.run;
    return statePatch.length === 0 ? [stored] : [stored, this.own(hubStateDelta(statePatch))];
  }

  private own(event: AguiEvent): NewEvent {
    this.model = modelStep(this.model, event);
    return hubEvent(event);
  }

  private words() {
    const { lease, record } = this.run;
    return {
      threadId: lease.thread,
      runId: lease.runId,
      messages: record.messages,
      tools: record.tools ?? [],
    };
  }

  private writes(): LeaseWrites {
    return this.deps.ledger.writes(this.run.lease, this.run.thread, this.deps.clock.now());
  }

  private async store(step: Step): Promise<void> {
    await throughGrace(this.deps, (attempt) => this.storeOnce(step, attempt));
    this.begun ||= this.started;
    this.ending = step.ending ?? this.ending;
  }

  private async storeOnce({ events, ending, asking, extra = [] }: Step, attempt: number): Promise<void> {
    // What is noted of the run while it goes on, its end clears away.
    const riders = [
      ...(await this.opening()),
      ...extra,
      ...(ending ? await this.closing(ending, asking) : []),
    ];
    try {
      await this.append(events, riders, ending !== undefined);
    } catch (error) {
      // The end frees the lease: a repeat of it finds it gone, and must look whether it was we who freed it.
      if (!(error instanceof LeaseLost) || !ending || attempt === 1 || !(await this.hasEnded(ending)))
        throw error;
    }
    this.seq += events.length;
  }

  private async hasEnded(ending: RunEnding): Promise<boolean> {
    const { thread, runId } = this.run.lease;
    return (await this.deps.ledger.run(thread, runId))?.status === statusOf(ending);
  }

  /** What the step that stores RUN_STARTED brings about, once. */
  private async opening(): Promise<readonly Rider[]> {
    if (!this.started || this.begun) return [];
    const { resumes } = this.run.record;
    const batch = resumes === undefined ? [] : await this.deps.closings.startedFor(resumes);
    return [...this.writes().started, ...batch];
  }

  /** The order matters: a new opening sets the thread's batch after the old one's settlement has cleared it. */
  private async closing(ending: RunEnding, asking?: Asking): Promise<readonly Rider[]> {
    const asks = asking !== undefined && opensBatch(asking);
    const riders = [
      ...this.writes().ended(this.endedRecord(ending), asks),
      ...(await this.settlement(ending, { sent: true })),
    ];
    if (!asks) return riders;
    const end = runThatAsks(this.run, this.model, asking);
    const opening = await this.deps.closings.openingFor(end);
    await opening.ahead();
    return [...riders, ...opening.riders];
  }

  private endedRecord(ending: RunEnding): RunRecord {
    const { code } = endToldBy(ending);
    return { ...this.run.record, status: statusOf(ending), code, endedAt: this.deps.clock.now() };
  }

  private async settlement(ending: RunEnding, how: Settled): Promise<readonly Rider[]> {
    const { record, idempotent } = this.run;
    if (record.resumes === undefined) return [];
    const told = { ...endToldBy(ending), ...how, atStart: this.atStart };
    const resultOf = (call: string) => resultIn(this.model.messages, call);
    return this.deps.closings.settlementFor({ batchId: record.resumes, idempotent, resultOf, ...told });
  }

  /** The producer's count makes a repeat harmless. */
  private async append(events: readonly NewEvent[], riders: readonly Rider[], atRest = false): Promise<void> {
    if (events.length === 0 && riders.length === 0) return;
    const { lease, admission } = this.run;
    const { guards, riders: first } = admission && !this.begun ? admission : { ...this.writes(), riders: [] };
    const request = { thread: lease.thread, events, guards, riders: [...first, ...riders], atRest };
    const producer = { id: 'run', epoch: lease.term, seq: this.seq };
    const reply = await this.deps.log.append(events.length === 0 ? request : { ...request, producer });
    if (reply.status === 'guarded' || reply.status === 'fenced')
      throw new LeaseLost(`${lease.runId} is not ours`);
    if (reply.status === 'gap') throw new Error(`log expects event ${reply.expected} of ${lease.runId}`);
  }
}
