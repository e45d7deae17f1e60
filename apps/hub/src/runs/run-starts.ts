/** Begins runs, and lets them be carried by this process. */
import { Inject, Injectable } from '@nestjs/common';
import { toldBy, type Actor } from '@triptych/access';
import { RUNS } from '@triptych/assembly/nest';
import { writeTrail } from '@triptych/platform';
import { REDIS } from '@triptych/platform/nest';
import { asThreadId, ok, type Refusal, type Result, type RunAgentInput } from '@triptych/protocol';
import { comesByItself, triedBy, type Begun, type Runs } from '@triptych/runs';
import type { Redis } from 'ioredis';
import { AgentPresence } from '../rooms/agent-presence.js';
import type { RunAsked, RunSource, StartedRun } from './run-started.js';
import type { Terms } from './run-terms.js';
import { UnreadRuns } from './unread-runs.js';

/** Ways of answering for a person that are not the person's: what was tried came to nothing, and is remembered. */
interface SideDoors {
  /** Calls that are not the client's own. */
  readonly answers?: readonly string[];
  /** Where a resume was smuggled in. */
  readonly pointer?: string;
}

/** A resume in another framework's words. */
const SMUGGLED = '/forwardedProps/command';

const sideDoorsIn = (begun: Result<Begun>): SideDoors | undefined => {
  if (!begun.ok) return begun.refusal.details?.pointer === SMUGGLED ? { pointer: SMUGGLED } : undefined;
  const { value } = begun;
  return value.kind === 'admitted' && value.foreign.length > 0 ? { answers: value.foreign } : undefined;
};

interface Tried {
  readonly tried: SideDoors;
  readonly begun: boolean;
}

@Injectable()
export class RunStarts {
  constructor(
    @Inject(RUNS) private readonly runs: Runs,
    @Inject(UnreadRuns) private readonly unread: UnreadRuns,
    @Inject(AgentPresence) private readonly presence: AgentPresence,
    @Inject(REDIS) private readonly redis: Redis,
  ) {}

  async begin({ actor, input }: RunAsked, terms: Terms): Promise<Result<StartedRun>> {
    const { subject, tenant } = actor;
    const thread = asThreadId(input.threadId);
    const there = await this.presence.mayOffer({ tenant, agent: terms.agent, thread, runId: input.runId });
    if (!there.ok) return there;
    const begun = await this.runs.begin({ ...terms, thread, input, tenant, subject, owner: subject });
    const tried = sideDoorsIn(begun);
    if (!begun.ok) {
      if (tried) await this.record(actor, input, { tried, begun: false });
      return begun;
    }
    // Carried whatever becomes of the record.
    const source = this.sourceOf(begun.value, terms);
    if (tried) await this.record(actor, input, { tried, begun: true });
    const { thread: of, record } = begun.value.kind === 'admitted' ? begun.value.admitted : begun.value;
    return ok({
      kind: 'run',
      threadId: of.threadId,
      runId: record.runId,
      owner: of.owner,
      after: record.after,
      source,
    });
  }

  /** Keeps what was tried, for whoever looks at the thread. */
  async noteRefused({ actor, input }: RunAsked, refusal: Refusal): Promise<void> {
    const tried = triedBy(input, refusal);
    if (tried) await this.runs.note(asThreadId(input.threadId), actor.subject, [tried]);
  }

  /** Of a thread that was not begun only what was asked for is known: it may be somebody else's, or nobody's. */
  private record(actor: Actor, { threadId, runId }: RunAgentInput, { tried, begun }: Tried): Promise<void> {
    const asked = { thread: threadId, run: runId };
    return writeTrail(this.redis, {
      ...{ tenant: actor.tenant, action: 'run.side-door' },
      ...(begun ? { subject: asked, after: { ...tried } } : { subject: {}, after: { ...tried, ...asked } }),
      ...toldBy(actor),
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
