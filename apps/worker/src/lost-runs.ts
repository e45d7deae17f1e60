/** Ends runs that nobody carries any more: their carrier fell silent, or the agent that pushed them did. */
import { Inject, Injectable } from '@nestjs/common';
import { AGENTS, PUSHES, RUNS, type AgentDirectory } from '@triptych/assembly/nest';
import type { PushIntake, RunAgent, Runs } from '@triptych/runs';

@Injectable()
export class LostRuns {
  constructor(
    @Inject(RUNS) private readonly runs: Runs,
    @Inject(PUSHES) private readonly pushes: PushIntake,
    @Inject(AGENTS) private readonly agents: AgentDirectory,
  ) {}

  async mourn(): Promise<void> {
    const agentOf = (agentId: string): RunAgent | undefined => this.agents.runAgent(agentId);
    await this.runs.mourn(agentOf);
    await this.pushes.mourn(agentOf);
  }
}
