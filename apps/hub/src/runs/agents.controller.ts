/** Lists the agents a caller may use. */
import { Controller, Get, Inject } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import { AGENTS, type AgentDirectory } from '@triptych/assembly/nest';
import { ok } from '@triptych/protocol';
import { Caller } from '../identity/caller.js';
import { usableAgents } from './usable-agents.js';

@Controller('v1/agents')
export class AgentsController {
  constructor(@Inject(AGENTS) private readonly agents: AgentDirectory) {}

  @Get()
  list(@Caller() actor: Actor) {
    const usable = usableAgents(this.agents, actor);
    return usable.ok ? ok({ items: usable.value }) : usable;
  }
}
