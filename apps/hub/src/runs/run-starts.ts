/** Begins runs, and lets them be carried by this process. */
import { Inject, Injectable } from '@nestjs/common';
import { RUNS } from '@triptych/assembly/nest';
import { asThreadId, ok, type Result } from '@triptych/protocol';
import { comesByItself, type Begun, type Runs } from '@triptych/runs';
import { AgentPresence } from '../rooms/agent-presence.js';
import type { RunAsked, RunSource, StartedRun } from './run-started.js';
import type { Terms } from './run-terms.js';
import { UnreadRuns } from './unread-runs.js';

@Injectable()
export class RunStarts {
  constructor(
    @Inject(RUNS) private readonly runs: Runs,
    @Inject(UnreadRuns) private readonly unread: UnreadRuns,
    @Inject(AgentPresence) private readonly presence: AgentPresence,
  ) {}

  async begin({ actor, input }: RunAsked, terms: Terms): Promise<Result<StartedRun>> {
    const { subject, tenant } = actor;
    const thread = asThreadId(input.threadId);
    const there = await this.presence.mayOffer({ tenant, agent: terms.agent, thread, runId: input.runId });
    if (!there.ok) return there;
    const begun = await this.runs.begin({ ...terms, thread, input, tenant, subject, owner: subject });
    if (!begun.ok) return begun;
    const { thread: of, record } = begun.value.kind === 'admitted' ? begun.value.admitted : begun.value;
    const source = this.sourceOf(begun.value, terms);
    return ok({
      kind: 'run',
      threadId: of.threadId,
      runId: record.runId,
      owner: of.owner,
      after: record.after,
      source,
    });
  }

  private sourceOf(begun: Begun, { agent, endsUnread }: Terms): RunSource {
    if (begun.kind === 'attached') return { kind: 'attached' };
    const { thread } = begun.admitted.lease;
    if (comesByItself(agent)) {
      if (endsUnread) this.unread.watchPushed(thread);
      return { kind: 'awaited' };
    }
    const read = this.runs.carryInBackground(begun, agent);
    if (endsUnread) this.unread.watch(thread, read);
    return { kind: 'begun', read };
  }
}
