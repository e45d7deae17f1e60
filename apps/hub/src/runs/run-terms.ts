/** Says on what terms an agent may be run: who may start it, and what of a client's input it takes. */
import { Inject, Injectable } from '@nestjs/common';
import { type Actor, isPolicyTool, type Role, writablePointers } from '@triptych/access';
import { AGENTS, POLICY, type AgentDirectory, type PolicySource } from '@triptych/assembly/nest';
import type { RunAgent } from '@triptych/runs';

export interface Terms {
  readonly agent: RunAgent;
  readonly starters: readonly Role[];
  readonly writable: readonly string[];
  readonly acceptProps: readonly string[];
  readonly acceptTools: readonly string[];
  /** Tool names the policy speaks of; a client may not bring one of its own under such a name. */
  readonly isPolicyTool: (name: string) => boolean;
}

/** An operator who starts a thread may give all of its state. */
const ALL_STATE = [''];

@Injectable()
export class RunTerms {
  constructor(
    @Inject(AGENTS) private readonly agents: AgentDirectory,
    @Inject(POLICY) private readonly policy: PolicySource,
  ) {}

  for(agentId: string, actor: Actor): Terms | undefined {
    const spec = this.agents.find(agentId);
    const agent = this.agents.runAgent(agentId);
    if (!spec || !agent) return undefined;
    const policy = this.policy.current();
    return {
      agent,
      starters: spec.roles,
      writable: actor.roles.includes('operator') ? ALL_STATE : writablePointers(policy),
      acceptProps: spec.accept.forwardedProps,
      acceptTools: spec.accept.tools,
      isPolicyTool: (name) => isPolicyTool(policy, name),
    };
  }
}
