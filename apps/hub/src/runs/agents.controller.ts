/** Lists the agents a caller may use. */
import { Controller, Get, Inject } from '@nestjs/common';
import { can, permit, type Actor } from '@triptych/access';
import { AGENTS, type AgentDirectory } from '@triptych/assembly/nest';
import { ok } from '@triptych/protocol';
import { Caller } from '../identity/caller.js';

@Controller('v1/agents')
export class AgentsController {
  constructor(@Inject(AGENTS) private readonly agents: AgentDirectory) {}

  @Get()
  list(@Caller() actor: Actor) {
    const allowed = permit(actor, 'agent.list', { tenant: actor.tenant });
    if (!allowed.ok) return allowed;
    const usable = this.agents
      .all()
      .filter(({ id, roles }) =>
        can(actor, 'agent.use', { tenant: actor.tenant, agentId: id, starters: roles }),
      );
    return ok({
      items: usable.map(({ id, name, capabilities }) => ({
        id,
        name,
        ...(capabilities ? { capabilities } : {}),
      })),
    });
  }
}
