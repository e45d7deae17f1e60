/** Creates threads and finds those a caller may see. */
import { Inject, Injectable } from '@nestjs/common';
import { can, surfaceFor, type Actor } from '@triptych/access';
import type { Approvals } from '@triptych/approvals';
import { AGENTS, APPROVALS, LEDGER, type AgentDirectory } from '@triptych/assembly/nest';
import { asThreadId, ok, refuse, type Result } from '@triptych/protocol';
import type { RunLedger, ThreadRecord } from '@triptych/runs';
import type { ThreadQueryDto } from './thread.dto.js';
import { type SeenThread, ThreadAccess } from './thread-access.js';

interface NewThread {
  readonly threadId: string;
  readonly agentId: string;
  readonly owner: string;
}

interface Shelf {
  readonly found: readonly SeenThread[];
  /** Where the next page begins. */
  readonly next?: number;
}

const PAGE = 50;

@Injectable()
export class ThreadShelf {
  constructor(
    @Inject(LEDGER) private readonly ledger: RunLedger,
    @Inject(AGENTS) private readonly agents: AgentDirectory,
    @Inject(APPROVALS) private readonly approvals: Approvals,
    @Inject(ThreadAccess) private readonly access: ThreadAccess,
  ) {}

  async create(actor: Actor, asked: NewThread): Promise<Result<ThreadRecord>> {
    const { tenant } = actor;
    const agent = this.agents.find(asked.agentId);
    if (!agent) return refuse('NOT_FOUND');
    if (
      !can(actor, 'thread.create', { tenant, agentId: agent.id, starters: agent.roles, owner: asked.owner })
    )
      return refuse('FORBIDDEN');
    const thread = await this.ledger.createThread({ ...asked, threadId: asThreadId(asked.threadId), tenant });
    if (thread.tenant !== tenant || thread.owner !== asked.owner) return refuse('NOT_FOUND');
    return thread.agentId === asked.agentId ? ok(thread) : refuse('THREAD_BINDING_CONFLICT');
  }

  async list(actor: Actor, query: ThreadQueryDto): Promise<Shelf> {
    const limit = query.limit ?? PAGE;
    const threads = await this.candidates(actor, {
      limit,
      ...(query.cursor === undefined ? {} : { before: query.cursor }),
    });
    const seen = await Promise.all(
      threads.filter((thread) => fits(thread, query)).map((thread) => this.seen(actor, thread)),
    );
    const last = threads.at(-1);
    return {
      found: seen.filter((one) => one !== undefined),
      ...(last && threads.length === limit ? { next: last.updatedAt } : {}),
    };
  }

  /** An operator looks through the tenant's threads, a reviewer through those of their tasks, a customer through their own. */
  private async candidates(
    actor: Actor,
    page: { limit: number; before?: number },
  ): Promise<readonly ThreadRecord[]> {
    const { tenant, subject } = actor;
    const surface = surfaceFor(actor, {});
    if (surface === 'operator') return this.ledger.threads({ tenant, ...page });
    if (surface === 'customer') return this.ledger.threads({ tenant, owner: subject, ...page });
    if (surface === undefined) return [];
    const ids = await this.approvals.threadsOf(actor);
    const threads = await Promise.all(ids.map((id) => this.ledger.thread(asThreadId(id))));
    return threads.filter((thread) => thread !== undefined).slice(0, page.limit);
  }

  private async seen(actor: Actor, thread: ThreadRecord): Promise<SeenThread | undefined> {
    const surface = surfaceFor(actor, { owner: thread.owner });
    if (!surface) return undefined;
    const facts = await this.access.facts(actor, thread, surface);
    return can(actor, 'thread.read', facts) ? { thread, surface } : undefined;
  }
}

const fits = (thread: ThreadRecord, { status, agent, q }: ThreadQueryDto): boolean =>
  (status === undefined || thread.status === status) &&
  (agent === undefined || thread.agentId === agent) &&
  (q === undefined || `${thread.threadId} ${thread.owner}`.toLowerCase().includes(q.toLowerCase()));
