/** Lists the agents a caller may use. */
import { Controller, Get, Inject } from '@nestjs/common';
import { can, type Actor } from '@triptych/access';
import { AGENTS, type AgentDirectory } from '@triptych/assembly/nest';
import { Caller } from '../identity/caller.js';

@Controller('v1/agents')
export class AgentsController {
  constructor(@Inject(AGENTS) private readonly agents: AgentDirectory) {}

  @Get()
  list(@Caller() actor: Actor) {
    const usable = this.agents
      .all()
      .filter(({ id, roles }) =>
        can(actor, 'agent.use', { tenant: actor.tenant, agentId: id, starters: roles }),
      );
    return {
      items: usable.map(({ id, name, capabilities }) => ({
        id,
        name,
        ...(capabilities ? { capabilities } : {}),
      })),
    };
  }
}
