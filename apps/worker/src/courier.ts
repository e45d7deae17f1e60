/** Delivers decided batches to their agents: one complete resume a batch, as a new run. */
import { Inject, Injectable } from '@nestjs/common';
import type { Approvals } from '@triptych/approvals';
import { AGENTS, APPROVALS, RUNS, type AgentDirectory } from '@triptych/assembly/nest';
import { inBackground } from '@triptych/platform';
import type { Log } from '@triptych/platform';
import { LOG } from '@triptych/platform/nest';
import { asThreadId, isStoreAway } from '@triptych/protocol';
import type { Runs } from '@triptych/runs';
import pLimit from 'p-limit';

/** Calls under way at once: each is an open stream, with the model of its thread. */
const MAX_UNDER_WAY = 50;
/** Batches that wait here for a call to end; what is beyond them the sweep brings again. */
const MAX_WAITING = 1_000;

@Injectable()
export class Courier {
  private readonly lane = pLimit(MAX_UNDER_WAY);
  private readonly waiting = new Set<string>();

  constructor(
    @Inject(APPROVALS) private readonly approvals: Approvals,
    @Inject(RUNS) private readonly runs: Runs,
    @Inject(AGENTS) private readonly agents: AgentDirectory,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** RUN-60: sends what is ready beside whoever says so, as soon as there is room; nothing is lost where there is none. */
  dispatch(batchId: string): void {
    if (this.waiting.has(batchId) || this.waiting.size >= MAX_WAITING) return;
    this.waiting.add(batchId);
    inBackground(
      this.log,
      'resume',
      this.lane(() => this.send(batchId)),
    );
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
