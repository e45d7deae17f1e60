/** Says on what terms an agent may be run: by whom, how often, and what of a client's input is taken. */
import { Inject, Injectable } from '@nestjs/common';
import { type Actor, can, isPolicyTool, projectState, type Role, writablePointers } from '@triptych/access';
import { AGENTS, POLICY, type AgentDirectory, type PolicySource } from '@triptych/assembly/nest';
import type { Settings } from '@triptych/platform';
import { SETTINGS } from '@triptych/platform/nest';
import { ok, parseRunAgentInput, refuse, type Result, type RunAgentInput } from '@triptych/protocol';
import type { RunTerms as RequestTerms } from '@triptych/runs';
import { RunRates } from './run-rates.js';

export interface Terms extends RequestTerms {
  readonly starters: readonly Role[];
  /** A run that nobody reads is stopped. */
  readonly endsUnread: boolean;
}

/** Whoever may run the threads of others may give all of their state. */
const ALL_STATE = [''];
/** An owner that is nobody: no subject is empty. */
const NOBODY = '';

@Injectable()
export class RunTerms {
  constructor(
    @Inject(AGENTS) private readonly agents: AgentDirectory,
    @Inject(POLICY) private readonly policy: PolicySource,
    @Inject(RunRates) private readonly rates: RunRates,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  parse(raw: unknown): Result<RunAgentInput> {
    return parseRunAgentInput(raw, this.settings.limits.depth);
  }

  for(agentId: string, actor: Actor): Result<Terms> {
    const spec = this.agents.find(agentId);
    const agent = this.agents.runAgent(agentId);
    if (!spec || !agent) return refuse('NOT_FOUND');
    const inTime = this.rates.take(actor);
    if (!inTime.ok) return inTime;
    const policy = this.policy.current();
    const { roles: starters } = spec;
    const mustOwn = !can(actor, 'run.start', { tenant: actor.tenant, agentId, starters, owner: NOBODY });
    return ok({
      agent,
      starters,
      endsUnread: spec.onNoSubscribers === 'cancel',
      mustOwn,
      writable: mustOwn ? writablePointers(policy) : ALL_STATE,
      showState: (state) => (mustOwn ? projectState(policy, 'customer', state) : state),
      acceptProps: spec.accept.forwardedProps,
      acceptTools: spec.accept.tools,
      isPolicyTool: (name) => isPolicyTool(policy, name),
      imageLimits: this.settings.limits,
    });
  }
}
