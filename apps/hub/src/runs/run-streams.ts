/** Streams runs to those who asked for them by HTTP, from the same rooms that serve the sockets. */
import { Inject, Injectable } from '@nestjs/common';
import { LEDGER, RUNS } from '@triptych/assembly/nest';
import { servePlain, type Shown } from '@triptych/fanout';
import type { Settings } from '@triptych/platform';
import { SETTINGS } from '@triptych/platform/nest';
import type { AguiEvent, Model, RunAgentInput, Surface, ThreadId } from '@triptych/protocol';
import type { RunLedger, Runs } from '@triptych/runs';
import type { Response } from 'express';
import { SESSION_TOOLS, type SessionTools } from '../rooms/session-tools.js';
import { catchUpAfter } from './catch-up.js';
import { RunView } from './run-view.js';

export interface RunToStream {
  readonly response: Response;
  readonly thread: ThreadId;
  readonly surface: Surface;
  readonly runId: string;
  readonly after: number;
  readonly input: RunAgentInput;
  /** The surface before the run; absent for a thread that is new. */
  readonly before?: Model;
  /** Resolves when this instance has read the agent's stream to its end; absent: another process reads it. */
  readonly read?: Promise<unknown>;
  /** Milliseconds to wait for the resumed run when this one ends in a question. */
  readonly holdMs: number;
  /** When the caller's token ends, Unix milliseconds. */
  readonly expiresAt: number;
}

export type Connection = Pick<RunToStream, 'response' | 'thread' | 'surface' | 'expiresAt'>;

/** A connect never outlives this; the client comes again. */
const CONNECT_MS = 600_000;

@Injectable()
export class RunStreams {
  constructor(
    @Inject(SESSION_TOOLS) private readonly tools: SessionTools,
    @Inject(RUNS) private readonly runs: Runs,
    @Inject(LEDGER) private readonly ledger: RunLedger,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  before(thread: ThreadId, surface: Surface): Promise<Model> {
    return this.tools.rooms.snapshotOf(thread, surface).then(({ model }) => model as Model);
  }

  async run(run: RunToStream): Promise<void> {
    const { response, thread, surface, runId, after, holdMs, read, expiresAt } = run;
    const view = new RunView(holdMs > 0);
    const until = (shown: Shown): boolean => {
      const over = view.take(shown);
      // Of a stream that another process reads, only the time can be told.
      if (over && (!read || view.waited)) this.endAfter(response, view, this.settings.lingerMs);
      return view.reachedGoal;
    };
    view.open = await servePlain({
      ...this.tools,
      response,
      thread,
      surface,
      expiresAt,
      from: { afterSeq: after },
      until,
      render: run.before ? addingCatchUp(run.before, { runId, input: run.input }) : undefined,
    });
    if (holdMs > 0) this.endAfter(response, view, holdMs);
    if (read) this.inBackground(this.endWithReading(run, view));
  }

  /** The last event of a run is shown to everyone, so the head of the log is a goal the stream will reach. */
  private async endWithReading({ thread, read }: RunToStream, view: RunView): Promise<void> {
    await read;
    const head = await this.runs.headOf(thread);
    if (!view.held) view.goal = head;
    if (view.reachedGoal) view.open?.end();
  }

  /** The prelude, then live until no run is active and no batch is open. */
  async connect(connection: Connection): Promise<void> {
    const { response, thread } = connection;
    const view = new RunView(false);
    const endIfIdle = async (): Promise<void> => {
      const now = await this.ledger.thread(thread);
      if (!now?.activeRunId && !now?.openBatch) this.endAfter(response, view, 0);
    };
    const until = (shown: Shown): boolean => {
      if (view.take(shown)) this.inBackground(endIfIdle());
      return false;
    };
    view.open = await servePlain({ ...this.tools, ...connection, until });
    this.endAfter(response, view, CONNECT_MS);
    await endIfIdle();
  }

  private inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => this.tools.report('run-stream', error));
  }

  private endAfter(response: Response, view: RunView, ms: number): void {
    const timer = setTimeout(() => view.open?.end(), ms);
    response.once('close', () => clearTimeout(timer));
  }
}

const addingCatchUp = (before: Model, { runId, input }: { runId: string; input: RunAgentInput }) => {
  let done = false;
  return (json: string): readonly string[] => {
    if (done || !json.includes('"RUN_STARTED"')) return [json];
    const event = JSON.parse(json) as AguiEvent;
    if (event.type !== 'RUN_STARTED' || event.runId !== runId) return [json];
    done = true;
    return [json, ...catchUpAfter(before, event, input).map((added) => JSON.stringify(added))];
  };
};
