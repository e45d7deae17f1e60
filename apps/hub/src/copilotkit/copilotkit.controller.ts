/** What CopilotKit's clients ask of their runtime beside runs: who is there, and that a thread's run be stopped. */
import { Controller, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import { AGENTS, type AgentDirectory } from '@triptych/assembly/nest';
import { ok, PROTOCOL_VERSION, type Result } from '@triptych/protocol';
import { Caller } from '../identity/caller.js';
import { RunCancel } from '../runs/run-cancel.js';
import { usableAgents, type UsableAgent } from '../runs/usable-agents.js';

/** Of all that its runtime can do beside running agents nothing is done here. */
const NOTHING_MORE = {
  mode: 'sse',
  audioFileTranscriptionEnabled: false,
  threadEndpoints: { list: false, inspect: false, mutations: false, realtimeMetadata: false },
  suggestions: false,
  a2uiEnabled: false,
  openGenerativeUIEnabled: false,
  telemetryDisabled: true,
};

const described = ({ id, name, capabilities }: UsableAgent) => ({
  name: id,
  description: name,
  className: 'HttpAgent',
  ...(capabilities ? { capabilities } : {}),
});

interface StopPath {
  readonly agent: string;
  readonly thread: string;
}

@Controller('copilotkit')
export class CopilotKitController {
  constructor(
    @Inject(AGENTS) private readonly agents: AgentDirectory,
    @Inject(RunCancel) private readonly cancels: RunCancel,
  ) {}

  @Get('info')
  info(@Caller() actor: Actor) {
    const usable = usableAgents(this.agents, actor);
    if (!usable.ok) return usable;
    const agents = Object.fromEntries(usable.value.map((agent) => [agent.id, described(agent)]));
    return ok({ version: PROTOCOL_VERSION, agents, ...NOTHING_MORE });
  }

  @Post('agent/:agent/stop/:thread')
  @HttpCode(200)
  async stop(
    @Caller() actor: Actor,
    @Param() { agent, thread }: StopPath,
  ): Promise<Result<{ stopped: boolean }>> {
    const stopped = await this.cancels.cancelThread(actor, agent, thread);
    return stopped.ok ? ok({ stopped: stopped.value.state === 'cancelling' }) : stopped;
  }
}
