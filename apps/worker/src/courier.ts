/** Delivers decided batches to their agents: one complete resume a batch, as a new run. */
import { Inject, Injectable } from '@nestjs/common';
import type { Approvals } from '@triptych/approvals';
import { AGENTS, APPROVALS, RUNS, type AgentDirectory } from '@triptych/assembly/nest';
import { inBackground } from '@triptych/platform';
import type { Log } from '@triptych/platform';
import { LOG } from '@triptych/platform/nest';
import { asThreadId } from '@triptych/protocol';
import type { Runs } from '@triptych/runs';

@Injectable()
export class Courier {
  constructor(
    @Inject(APPROVALS) private readonly approvals: Approvals,
    @Inject(RUNS) private readonly runs: Runs,
    @Inject(AGENTS) private readonly agents: AgentDirectory,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Begins the resume if the batch is ready and nobody else has; the stream is carried beside the queue's job. */
  async dispatch(batchId: string): Promise<void> {
    const plan = await this.approvals.planDispatch(batchId);
    if (!plan) return;
    const agent = this.agents.runAgent(plan.agentId);
    if (!agent) {
      this.log.error('courier.agent-missing', { batch: batchId, agent: plan.agentId });
      return this.approvals.undeliverable(batchId);
    }
    const request = { ...plan, thread: asThreadId(plan.threadId), agent };
    inBackground(this.log, 'resume', this.deliver(batchId, request));
  }

  private async deliver(batchId: string, request: Parameters<Runs['resume']>[0]): Promise<void> {
    const { thread, runId } = request;
    const carried = await this.runs.resume(request);
    this.log.info('courier.delivered', {
      thread,
      run: runId,
      batch: batchId,
      outcome: carried?.kind ?? 'not-begun',
    });
  }
}
