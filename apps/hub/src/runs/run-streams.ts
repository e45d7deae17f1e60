/** Streams runs to those who asked for them by HTTP, from the same rooms that serve the sockets. */
import { Inject, Injectable } from '@nestjs/common';
import { RUNS } from '@triptych/assembly/nest';
import {
  servePlain,
  type OpenStream,
  type Render,
  type Shown,
  type StreamLine,
  type StreamStep,
  type SurfaceSnapshot,
} from '@triptych/fanout';
import type { Settings } from '@triptych/platform';
import { SETTINGS } from '@triptych/platform/nest';
import {
  emptyModel,
  isStoreAway,
  isTerminal,
  speaks59,
  textsIn59,
  type AguiEvent,
  type Model,
  type RunAgentInput,
  type Surface,
  type ThreadId,
} from '@triptych/protocol';
import type { Runs } from '@triptych/runs';
import { SESSION_TOOLS, type StreamTools } from '../rooms/session-tools.js';
import { catchUpAfter } from './catch-up.js';
import { mayCome } from './outlook.js';
import type { RunSource } from './run-started.js';
import { RunView } from './run-view.js';
import { ThreadTurns } from './thread-turns.js';

export interface RunToStream {
  readonly line: StreamLine;
  /** The subject that asked. */
  readonly who: string;
  readonly thread: ThreadId;
  readonly surface: Surface;
  readonly runId: string;
  readonly after: number;
  readonly source: RunSource;
  readonly input: RunAgentInput;
  /** The surface before the run; absent when the run is as old as the surface. */
  readonly before?: Model | undefined;
  /** Milliseconds to wait for the resumed run when this one ends in a question. */
  readonly holdMs: number;
}

interface Opened {
  open?: OpenStream;
}

export type Connection = Pick<RunToStream, 'line' | 'who' | 'thread' | 'surface' | 'input'>;

/** A connect never outlives this; the client comes again. */
const CONNECT_MS = 600_000;
/** How often it is looked whether anything can still come, ms. Runs tell of their end themselves; this is for those that never begin. */
const LOOK_MS = 2_000;

@Injectable()
export class RunStreams {
  constructor(
    @Inject(SESSION_TOOLS) private readonly tools: StreamTools,
    @Inject(RUNS) private readonly runs: Runs,
    @Inject(ThreadTurns) private readonly turns: ThreadTurns,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  surfaceNow(thread: ThreadId, surface: Surface): Promise<SurfaceSnapshot> {
    return this.tools.rooms.snapshotOf(thread, surface);
  }

  /** The surface as it was when the run began: what was seen of it before serves if nothing came in between. */
  async surfaceBefore(
    { thread, surface, source, after }: Pick<RunToStream, 'thread' | 'surface' | 'source' | 'after'>,
    seen: SurfaceSnapshot | undefined,
  ): Promise<Model | undefined> {
    if (source.kind === 'attached') return undefined;
    if (after === 0) return emptyModel();
    const before = seen?.seq === after ? seen : await this.tools.rooms.snapshotAt(thread, surface, after);
    return before === 'trimmed' ? undefined : (before.model as Model);
  }

  async run(run: RunToStream): Promise<void> {
    const { line, after, holdMs, source, before, input } = run;
    const view = new RunView({ holds: holdMs > 0, readHere: source.kind === 'begun' });
    const until = (shown: Shown): StreamStep => {
      const step = view.take(shown);
      if (view.lingers) this.endAfter(line, view, this.settings.lingerMs, () => !view.held);
      if (holdMs > 0 && view.endedWell) this.inBackground(this.holdForOthers(run.thread, view));
      return step;
    };
    const render = inTurn(before && addingCatchUp(before, run), wordsFor(input));
    view.open = await servePlain({ ...this.tools, ...run, from: { afterSeq: after }, until, render });
    if (holdMs > 0) this.endAfter(line, view, holdMs);
    this.inBackground(this.watch(run, view));
  }

  /** The prelude, then live until no run is active and no batch is open. */
  async connect(connection: Connection): Promise<void> {
    const { line, thread, input } = connection;
    const view: Opened = {};
    const endIfIdle = async (): Promise<void> => {
      const now = await this.turns.now(thread);
      if (!now?.activeRunId && !now?.openBatch) this.endAfter(line, view, 0);
    };
    const until = (shown: Shown): StreamStep => {
      if (isTerminal(shown)) this.inBackground(endIfIdle());
      return 'on';
    };
    view.open = await servePlain({ ...this.tools, ...connection, until, render: wordsFor(input) });
    this.endAfter(line, view, CONNECT_MS);
    await endIfIdle();
  }

  /** No event tells that nothing more will come: it is looked where the thread stands, now and again. */
  private async watch(run: RunToStream, view: RunView): Promise<void> {
    const { line, source } = run;
    if (source.kind === 'begun') await source.read;
    const began = this.tools.clock.now();
    const look = (): Promise<void> => this.look(run, view, this.tools.clock.now() - began);
    if (line.closed) return;
    line.onceClosed(this.tools.timers.every(LOOK_MS, () => this.inBackground(look())));
    await look();
  }

  private async look(run: RunToStream, view: RunView, waitedMs: number): Promise<void> {
    const { thread, runId, holdMs, source, after } = run;
    const now = await this.turns.now(thread);
    // A response that waits for its own reader to answer would wait for nothing.
    const holds = holdMs > 0 && !(await this.turns.isClients(now));
    if (mayCome({ source: source.kind, runId, holds, shown: view.runId, waitedMs }, now)) return;
    const head = await this.runs.headOf(thread);
    // The end of a run is shown to everyone, so the head of the log is a goal the stream will reach.
    view.goal = Math.min(view.goal, head);
    if (view.reachedGoal || (view.runId === undefined && head <= after)) view.open?.end();
  }

  /** APR-50: whoever holds over calls that people answer is shown the run that brings the answers. */
  private async holdForOthers(thread: ThreadId, view: RunView): Promise<void> {
    const now = await this.turns.now(thread);
    if (now?.openBatch && view.endedWell && !(await this.turns.isClients(now))) view.hold();
  }

  private inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => {
      // While the store is away nothing comes; the next look finds out.
      if (!isStoreAway(error)) this.tools.report('run-stream', error);
    });
  }

  private endAfter(line: StreamLine, view: Opened, ms: number, stillOver = () => true): void {
    const end = (): void => {
      if (stillOver()) view.open?.end();
    };
    line.onceClosed(this.tools.timers.after(ms, end));
  }
}

const wordsFor = (input: RunAgentInput): Render | undefined => (speaks59(input) ? textsIn59() : undefined);

/** What the one makes of an event, as the other says it. */
const inTurn = (first: Render | undefined, second: Render | undefined): Render | undefined =>
  first && second ? (json) => first(json).flatMap((one) => second(one)) : (first ?? second);

const addingCatchUp = (before: Model, { runId, input }: Pick<RunToStream, 'runId' | 'input'>): Render => {
  let done = false;
  return (json) => {
    if (done || !json.includes('"RUN_STARTED"')) return [json];
    const event = JSON.parse(json) as AguiEvent;
    if (event.type !== 'RUN_STARTED' || event.runId !== runId) return [json];
    done = true;
    return [json, ...catchUpAfter(before, event, input).map((added) => JSON.stringify(added))];
  };
};
