/** Writes one run's events into the log, in order and exactly once, for as long as its lease holds. */
import { isStoreAway, modelStep } from '@triptych/protocol';
import type { AguiEvent, Model } from '@triptych/protocol';
import { hubEvent, hubRunError, hubRunStarted, hubStateDelta, startedByAgent } from '../core/hub-events.js';
import type { LeaseWrites, RunLedger } from '../core/ledger.js';
import type { Clock, Closings, JudgedEvent, LogToWrite, NewEvent, Rider } from '../core/ports.js';
import { endingOf, resumeOutcome, type RunEnding } from '../core/run-end.js';
import type { AdmittedRun, RunRecord } from '../core/run-record.js';
import { callsOf } from '../core/tool-calls.js';
import type { JsonPatch, RunErrorCode } from '@triptych/protocol';

/** The run belongs to another process now, or the store stayed away too long: stop without a word. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export interface WriterDeps {
  readonly log: LogToWrite;
  readonly ledger: RunLedger;
  readonly closings: Closings;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  /** Milliseconds the store may stay away before a run is given up. */
  readonly storeGraceMs: number;
}

export interface WriterRun extends AdmittedRun {
  readonly idempotent: boolean;
  /** State writes of the client, stored right after RUN_STARTED. */
  readonly statePatch: JsonPatch;
  readonly requesters: readonly string[];
}

/** Between two tries while the store is away, ms. */
const STORE_RETRY_MS = 250;

export class RunWriter {
  started = false;
  ending: RunEnding | undefined;
  private seq = 0;
  /** What the beginning brings about is stored. */
  private begun = false;

  constructor(
    private readonly deps: WriterDeps,
    private readonly run: WriterRun,
    public model: Model,
  ) {}

  /** Stores the agent's events up to and including the run's terminal; answers how many were taken. */
  async write(events: readonly JudgedEvent[]): Promise<number> {
    const end = events.findIndex(({ event }) => endingOf(event) !== undefined);
    const taken = end < 0 ? events : events.slice(0, end + 1);
    const stored = taken.flatMap((judged) => this.prepare(judged));
    const last = taken.at(-1);
    const ending = end < 0 || !last ? undefined : endingOf(last.event);
    await this.store(stored, ending);
    return taken.length;
  }

  /** Ends the run in the hub's own words. */
  async fail(code: RunErrorCode, extra: readonly Rider[] = []): Promise<void> {
    const stored = this.started ? [] : this.begin();
    stored.push(this.own(hubRunError(code)));
    await this.store(stored, { status: 'failed', code }, extra);
  }

  /** Undoes the admission of a resume that certainly never reached its agent. */
  async forget(code: string): Promise<void> {
    const settled = await this.settlement({ status: 'failed', code }, false);
    await this.append([], [...this.writes().forgotten(), ...settled]);
  }

  private prepare({ event, json }: JudgedEvent): NewEvent[] {
    if (event.type !== 'RUN_STARTED') {
      const late = this.started ? [] : this.begin();
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

  private async store(
    events: readonly NewEvent[],
    ending?: RunEnding,
    extra: readonly Rider[] = [],
  ): Promise<void> {
    const riders = [...(await this.opening()), ...(ending ? await this.closing(ending) : []), ...extra];
    if (events.length > 0 || riders.length > 0) await this.append(events, riders);
    this.begun ||= this.started;
    this.ending = ending ?? this.ending;
  }

  /** What the step that stores RUN_STARTED brings about, once. */
  private async opening(): Promise<readonly Rider[]> {
    if (!this.started || this.begun) return [];
    const { resumes } = this.run.record;
    const batch = resumes === undefined ? [] : await this.deps.closings.startedFor(resumes);
    return [...this.writes().started, ...batch];
  }

  /** The order matters: a new opening sets the thread's batch after the old one's settlement has cleared it. */
  private async closing(ending: RunEnding): Promise<Rider[]> {
    const riders = [
      ...this.writes().ended(this.endedRecord(ending)),
      ...(await this.settlement(ending, true)),
    ];
    if (ending.status !== 'interrupt') return riders;
    const { thread, lease } = this.run;
    const opening = this.deps.closings.openingFor({
      threadId: lease.thread,
      tenant: thread.tenant,
      agentId: thread.agentId,
      owner: thread.owner,
      requesters: this.run.requesters,
      runId: lease.runId,
      interrupts: ending.interrupts,
      toolCalls: callsOf(this.model.messages),
      now: this.deps.clock.now(),
    });
    await opening.ahead();
    return [...riders, ...opening.riders];
  }

  private endedRecord(ending: RunEnding): RunRecord {
    const code = ending.status === 'failed' && ending.code !== undefined ? { code: ending.code } : {};
    return { ...this.run.record, status: ending.status, ...code, endedAt: this.deps.clock.now() };
  }

  private async settlement(ending: RunEnding, sent: boolean): Promise<readonly Rider[]> {
    const batchId = this.run.record.resumes;
    if (batchId === undefined) return [];
    const code = ending.status === 'failed' && ending.code !== undefined ? { code: ending.code } : {};
    const end = { batchId, outcome: resumeOutcome(ending), sent, idempotent: this.run.idempotent, ...code };
    return this.deps.closings.settlementFor(end);
  }

  /** Repeats while the store is away: the producer's count makes a repeat harmless. */
  private async append(events: readonly NewEvent[], riders: readonly Rider[]): Promise<void> {
    const { lease } = this.run;
    const producer = { id: 'run', epoch: lease.term, seq: this.seq };
    const request = { thread: lease.thread, events, guards: this.writes().guards, riders };
    const deadline = this.deps.clock.now() + this.deps.storeGraceMs;
    for (;;) {
      try {
        const reply = await this.deps.log.append(events.length === 0 ? request : { ...request, producer });
        if (reply.status === 'guarded' || reply.status === 'fenced')
          throw new LeaseLost(`${lease.runId} is not ours`);
        if (reply.status === 'gap') throw new Error(`log expects event ${reply.expected} of ${lease.runId}`);
        this.seq += events.length;
        return;
      } catch (error) {
        if (!isStoreAway(error)) throw error;
        if (this.deps.clock.now() >= deadline)
          throw new LeaseLost(`store away for ${this.deps.storeGraceMs} ms`);
        await this.deps.sleep(STORE_RETRY_MS);
      }
    }
  }
}
