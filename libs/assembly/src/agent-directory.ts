/** The agents of this deployment, as the file names them and as a run opens them. */
import { type AgentSpec, openRun } from '@triptych/agents';
import type { RunAgent } from '@triptych/runs';

export class AgentDirectory {
  private readonly specs: ReadonlyMap<string, AgentSpec>;

  constructor(
    specs: readonly AgentSpec[],
    private readonly limits: { readonly eventBytes: number },
  ) {
    this.specs = new Map(specs.map((spec) => [spec.id, spec]));
  }

  all(): readonly AgentSpec[] {
    return [...this.specs.values()];
  }

  find(agentId: string): AgentSpec | undefined {
    return this.specs.get(agentId);
  }

  runAgent(agentId: string): RunAgent | undefined {
    const spec = this.specs.get(agentId);
    if (!spec) return undefined;
    const known = { id: spec.id, idempotent: spec.resume.idempotent };
    const { connect, timeouts } = spec;
    if (connect.type === 'push') return { ...known, timeouts };
    const limits = { maxEventBytes: this.limits.eventBytes };
    return { ...known, open: (input, signal) => openRun({ ...spec, connect }, input, { signal, limits }) };
  }
}
