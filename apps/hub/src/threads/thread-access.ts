/** Finds a thread for a caller, on the surface they may see it on; what they may not know of is NOT_FOUND. */
import { Inject, Injectable } from '@nestjs/common';
import { can, forbidden, surfaceFor, type Actor, type ThreadFacts } from '@triptych/access';
import type { Approvals } from '@triptych/approvals';
import { AGENTS, APPROVALS, LEDGER, type AgentDirectory } from '@triptych/assembly/nest';
import type { Clock } from '@triptych/platform';
import { CLOCK } from '@triptych/platform/nest';
import { ok, refuse, type Result, type Surface, type ThreadId } from '@triptych/protocol';
import type { RunLedger, ThreadRecord } from '@triptych/runs';
import { parseThreadId } from '../http/parse-ids.js';
import { parseSurface } from '../http/parse-surface.js';

export interface SeenThread {
  readonly thread: ThreadRecord;
  readonly surface: Surface;
}

@Injectable()
export class ThreadAccess {
  constructor(
    @Inject(LEDGER) private readonly ledger: RunLedger,
    @Inject(AGENTS) private readonly agents: AgentDirectory,
    @Inject(APPROVALS) private readonly approvals: Approvals,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The thread as `asked` surface, or as the caller's own. */
  async find(actor: Actor, threadId: unknown, asked?: unknown): Promise<Result<SeenThread>> {
    const id = parseThreadId(threadId);
    if (!id.ok) return id;
    const named = parseSurface(asked);
    if (!named.ok) return named;
    // Before the thread is looked for: whether there is one must not show in the answer.
    if (named.value && !surfaceFor(actor, { asked: named.value }))
      return forbidden('this surface is none of yours');
    const thread = await this.ledger.thread(id.value);
    if (!thread) return refuse('NOT_FOUND');
    const surface = named.value ?? surfaceFor(actor, { owner: thread.owner });
    if (!surface) return refuse('NOT_FOUND');
    const facts = await this.facts(actor, thread, surface);
    return can(actor, 'thread.read', facts) ? ok({ thread, surface }) : refuse('NOT_FOUND');
  }

  /** The thread whoever asks: for doors that judge more than reading. */
  peek(threadId: ThreadId): Promise<ThreadRecord | undefined> {
    return this.ledger.thread(threadId);
  }

  /** Everything a permission on this thread is judged on. */
  async facts(actor: Actor, thread: ThreadRecord, surface?: Surface): Promise<ThreadFacts> {
    // Only of a reviewer it is asked which tasks they have, and that is the dear question.
    const reviews = can(actor, 'surface.open', { tenant: actor.tenant, surface: 'reviewer' });
    const tasks = reviews ? await this.approvals.candidacies(thread.threadId) : [];
    return {
      tenant: thread.tenant,
      owner: thread.owner,
      agentId: thread.agentId,
      starters: this.agents.find(thread.agentId)?.roles ?? [],
      tasks,
      now: this.clock.now(),
      ...(surface ? { surface } : {}),
    };
  }
}
