/** Finds the agents a caller may start, as they are told of them. */
import { can, permit, type Actor } from '@triptych/access';
import type { AgentDirectory } from '@triptych/assembly/nest';
import { ok, type Result } from '@triptych/protocol';

export interface UsableAgent {
  readonly id: string;
  readonly name: string;
  /** In the words of AG-UI, as far as the agents file says. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
}

export const usableAgents = (agents: AgentDirectory, actor: Actor): Result<readonly UsableAgent[]> => {
  const { tenant } = actor;
  const allowed = permit(actor, 'agent.list', { tenant });
  if (!allowed.ok) return allowed;
  const usable = agents
    .all()
    .filter(({ id, roles }) => can(actor, 'agent.use', { tenant, agentId: id, starters: roles }));
  return ok(
    usable.map(({ id, name, capabilities }) => ({ id, name, ...(capabilities ? { capabilities } : {}) })),
  );
};
