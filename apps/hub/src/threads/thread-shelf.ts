/** Creates threads and finds those a caller may see. */
import { Inject, Injectable } from '@nestjs/common';
import { can, permit, surfaceFor, type Actor } from '@triptych/access';
import type { Approvals } from '@triptych/approvals';
import { AGENTS, APPROVALS, LEDGER, type AgentDirectory } from '@triptych/assembly/nest';
import { asThreadId, ok, refuse, type Result, type ThreadId } from '@triptych/protocol';
import type { RunLedger, ThreadRecord } from '@triptych/runs';
import { refuseBinding } from './binding.js';
import type { ThreadQueryDto } from './thread.dto.js';
import { type SeenThread, ThreadAccess } from './thread-access.js';
import { pageOfThreads, type ThreadPage } from './thread-page.js';

interface NewThread {
  readonly threadId: ThreadId;
  readonly agentId: string;
  readonly owner: string;
}

interface Shelf {
  readonly found: readonly SeenThread[];
  readonly next?: string | undefined;
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
    const facts = { tenant, agentId: agent.id, starters: agent.roles, owner: asked.owner };
    const allowed = permit(actor, 'thread.create', facts);
    if (!allowed.ok) return allowed;
    const thread = await this.ledger.createThread({ ...asked, tenant });
    if (thread.tenant !== tenant || thread.owner !== asked.owner) return refuse('NOT_FOUND');
    return thread.agentId === asked.agentId ? ok(thread) : refuseBinding(thread);
  }

  async list(actor: Actor, query: ThreadQueryDto): Promise<Result<Shelf>> {
    const allowed = permit(actor, 'thread.list', { tenant: actor.tenant });
    if (!allowed.ok) return allowed;
    const page = await this.candidates(actor, query);
    if (!page.ok) return page;
    const { items, next } = page.value;
    const fitting = items.filter((thread) => fits(thread, query));
    const seen = await Promise.all(fitting.map((thread) => this.seen(actor, thread)));
    return ok({ found: seen.filter((one) => one !== undefined), next });
  }

  /** An operator looks through the tenant's threads, a reviewer through those of their tasks, a customer through their own. */
  private async candidates(actor: Actor, query: ThreadQueryDto): Promise<Result<ThreadPage>> {
    const { tenant, subject } = actor;
    const { limit = PAGE, cursor } = query;
    const surface = surfaceFor(actor, {});
    if (surface === undefined) return ok({ items: [] });
    if (surface === 'reviewer') return this.reviewed(actor, query);
    const page = cursor === undefined ? { limit } : { limit, cursor };
    const whose = surface === 'customer' ? { tenant, owner: subject } : { tenant };
    return ok(await this.ledger.threads({ ...whose, ...page }));
  }

  private async reviewed(actor: Actor, query: ThreadQueryDto): Promise<Result<ThreadPage>> {
    const { limit = PAGE, cursor } = query;
    const ids = await this.approvals.threadsOf(actor);
    const threads = await Promise.all(ids.map((id) => this.ledger.thread(asThreadId(id))));
    const fitting = threads.filter((thread) => thread !== undefined).filter((thread) => fits(thread, query));
    return pageOfThreads(fitting, { limit, cursor });
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
