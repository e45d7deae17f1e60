/** Finds what is due without the queue: lost runs, deadlines that passed, batches that wait for their resume. */
import { Inject, Injectable } from '@nestjs/common';
import type { Approvals } from '@triptych/approvals';
import { AGENTS, APPROVALS, RUNS, type AgentDirectory } from '@triptych/assembly/nest';
import type { Runs } from '@triptych/runs';
import { Courier } from './courier.js';

@Injectable()
export class Sweeper {
  private sweeping = false;

  constructor(
    @Inject(RUNS) private readonly runs: Runs,
    @Inject(APPROVALS) private readonly approvals: Approvals,
    @Inject(AGENTS) private readonly agents: AgentDirectory,
    @Inject(Courier) private readonly courier: Courier,
  ) {}

  /** One round; a round that takes long is not joined by the next. */
  async sweep(): Promise<void> {
    if (this.sweeping) return;
    this.sweeping = true;
    try {
      await this.runs.mourn((agentId) => this.agents.runAgent(agentId));
      const { ready } = await this.approvals.sweep();
      for (const batchId of ready) await this.courier.dispatch(batchId);
    } finally {
      this.sweeping = false;
    }
  }
}
