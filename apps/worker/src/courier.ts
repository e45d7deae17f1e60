/** Delivers decided batches to their agents: one complete resume a batch, as a new run. */
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Approvals } from '@triptych/approvals';
import { AGENTS, APPROVALS, RUNS, type AgentDirectory } from '@triptych/assembly/nest';
import { inBackground } from '@triptych/platform';
import type { Log } from '@triptych/platform';
import { LOG } from '@triptych/platform/nest';
import { asThreadId, isStoreAway } from '@triptych/protocol';
import type { Runs } from '@triptych/runs';
import { CallRoom } from './call-room.js';

/** Each is an open stream, with the model of its thread. */
const MAX_UNDER_WAY = 200;
const MAX_TO_ONE_AGENT = 50;
/** Batches that wait here for a call to end; what is beyond them the sweep brings again. */
const MAX_WAITING = 1_000;
/** All that the agents file does not name are one. */
const NOBODY = '';

@Injectable()
export class Courier implements BeforeApplicationShutdown {
  private readonly calls = new CallRoom({ all: MAX_UNDER_WAY, toOne: MAX_TO_ONE_AGENT });
  private readonly waiting = new Set<string>();

  constructor(
    @Inject(APPROVALS) private readonly approvals: Approvals,
    @Inject(RUNS) private readonly runs: Runs,
    @Inject(AGENTS) private readonly agents: AgentDirectory,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** RUN-64: before anything else ends, for a resume that is begun now would die with this process. */
  beforeApplicationShutdown(): void {
    this.calls.close();
  }

  /** RUN-63: resolves once there is room for a call; with false when there will be none any more. */
  hasRoom(): Promise<boolean> {
    return this.calls.free();
  }

  /** RUN-60: sends what is ready beside whoever says so, as soon as there is room; nothing is lost where there is none. */
  dispatch(batchId: string): void {
    if (this.waiting.has(batchId) || this.waiting.size >= MAX_WAITING) return;
    this.waiting.add(batchId);
    inBackground(this.log, 'resume', this.sendInTurn(batchId));
  }

  private async sendInTurn(batchId: string): Promise<void> {
    try {
      const agentId = (await this.approvals.agentOf(batchId)) ?? NOBODY;
      const name = this.agents.runAgent(agentId) ? agentId : NOBODY;
      await this.calls.call(name, () => this.send(batchId));
    } catch (error) {
      this.waiting.delete(batchId);
      if (!this.calls.isClosed) throw error;
    }
  }

  /** Begins the resume if the batch is ready and nobody else has. */
  private async send(batchId: string): Promise<void> {
    this.waiting.delete(batchId);
    const plan = await this.approvals.planDispatch(batchId);
    if (!plan) return;
    const agent = this.agents.runAgent(plan.agentId);
    if (!agent) {
      this.log.error('courier.agent-missing', { batch: batchId, agent: plan.agentId });
      return this.approvals.agentGone(batchId);
    }
    await this.deliver(batchId, { ...plan, thread: asThreadId(plan.threadId), agent });
  }

  private async deliver(batchId: string, request: Parameters<Runs['resume']>[0]): Promise<void> {
    const { thread, runId } = request;
    try {
      const carried = await this.runs.resume(request);
      const outcome = carried?.kind ?? 'not-begun';
      this.log.info('courier.delivered', { thread, run: runId, batch: batchId, outcome });
    } catch (error) {
      if (isStoreAway(error)) throw error;
      this.log.error('courier.failed', { thread, run: runId, batch: batchId, error });
      // APR-87: what had begun by then ends as a run that nobody carries.
      await this.approvals.undeliverable(batchId, String(error));
    }
  }
}
