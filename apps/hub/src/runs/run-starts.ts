/** Begins runs, and lets them be carried by this process. */
import { Inject, Injectable } from '@nestjs/common';
import { toldBy, type Actor } from '@triptych/access';
import { RUNS } from '@triptych/assembly/nest';
import { trailRiders, writeTrail } from '@triptych/platform';
import { REDIS } from '@triptych/platform/nest';
import { asThreadId, ok, type Refusal, type Result, type TrailNote } from '@triptych/protocol';
import { comesByItself, triedBy, type Begun, type RecordForeign, type Runs } from '@triptych/runs';
import type { Redis } from 'ioredis';
import { AgentPresence } from '../rooms/agent-presence.js';
import type { RunAsked, RunSource, StartedRun } from './run-started.js';
import type { Terms } from './run-terms.js';
import { UnreadRuns } from './unread-runs.js';

/** A resume in another framework's words. */
const SMUGGLED = '/forwardedProps/command';

const isSmuggled = (begun: Result<Begun>): boolean =>
  !begun.ok && begun.refusal.details?.pointer === SMUGGLED;

/** Ways of answering for a person that are not the person's: what was tried came to nothing, and is remembered. */
const sideDoor = (actor: Actor, told: Pick<TrailNote, 'subject' | 'after'>): TrailNote => ({
  ...{ tenant: actor.tenant, action: 'run.side-door', ...told },
  ...toldBy(actor),
});

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
    const of = { thread: input.threadId, run: input.runId };
    const recordForeign: RecordForeign = (answers) =>
      trailRiders(this.redis, sideDoor(actor, { subject: of, after: { answers } }), thread);
    const asked = { ...terms, thread, input, tenant, subject, owner: subject, recordForeign };
    const begun = await this.runs.begin(asked);
    // Of a thread that was not begun only what was asked for is known: it may be somebody else's, or nobody's.
    if (isSmuggled(begun))
      await writeTrail(this.redis, sideDoor(actor, { subject: {}, after: { pointer: SMUGGLED, ...of } }));
    return begun.ok ? ok(this.started(begun.value, terms)) : begun;
  }

  /** Keeps what was tried, for whoever looks at the thread. */
  async noteRefused({ actor, input }: RunAsked, refusal: Refusal): Promise<void> {
    const tried = triedBy(input, refusal);
    if (tried) await this.runs.note(asThreadId(input.threadId), actor.subject, [tried]);
  }

  private started(begun: Begun, terms: Terms): StartedRun {
    const source = this.sourceOf(begun, terms);
    const { thread: of, record } = begun.kind === 'admitted' ? begun.admitted : begun;
    const { threadId, owner } = of;
    return { kind: 'run', threadId, runId: record.runId, owner, after: record.after, source };
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
