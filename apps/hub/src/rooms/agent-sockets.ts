/** The open sockets of agents on this instance: says that they are here, and tells them what is asked of them. */
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import { PUSHES } from '@triptych/assembly/nest';
import type { AgentSession } from '@triptych/fanout';
import { inBackground, type Log, type TenantNews } from '@triptych/platform';
import { LOG } from '@triptych/platform/nest';
import { isStoreAway, type ThreadId } from '@triptych/protocol';
import type { PushIntake } from '@triptych/runs';
import { SESSION_TOOLS, type SessionTools } from './session-tools.js';
import { AgentPresence } from './agent-presence.js';

export interface OpenAgent {
  actor: Actor;
  readonly session: AgentSession;
  /** Threads it has spoken for; their runs live as long as it does. */
  readonly threads: Set<ThreadId>;
}

/** Threads one socket may speak for; of more it vouches for the latest. */
const MAX_THREADS = 1_000;

@Injectable()
export class AgentSockets {
  private readonly sockets = new Set<OpenAgent>();
  private busy = false;

  constructor(
    @Inject(AgentPresence) private readonly presence: AgentPresence,
    @Inject(PUSHES) private readonly intake: PushIntake,
    @Inject(SESSION_TOOLS) tools: SessionTools,
    @Inject(LOG) private readonly log: Log,
  ) {
    tools.pulse.add(() => inBackground(log, 'agent-sockets', this.pulse()));
  }

  get size(): number {
    return this.sockets.size;
  }

  add(open: OpenAgent): void {
    this.sockets.add(open);
    inBackground(this.log, 'agent-here', this.welcome(open));
  }

  remove(open: OpenAgent): void {
    this.sockets.delete(open);
    const { tenant, subject } = open.actor;
    if (this.of(open.actor) === 0) inBackground(this.log, 'agent-gone', this.presence.gone(tenant, subject));
  }

  of({ tenant, subject }: Pick<Actor, 'tenant' | 'subject'>): number {
    return this.in(tenant, subject).length;
  }

  /** From now on the socket vouches for the thread's run, while it is the one that spoke last. */
  speaksFor({ threads }: OpenAgent, thread: ThreadId): void {
    threads.delete(thread);
    threads.add(thread);
    const [oldest] = threads;
    if (threads.size > MAX_THREADS && oldest !== undefined) threads.delete(oldest);
  }

  tell(tenant: string, { ask, agentId, threadId, runId }: Extract<TenantNews, { kind: 'agent' }>): void {
    for (const { session } of this.in(tenant, agentId)) session.send(`run.${ask}`, { threadId, runId });
  }

  /** What was said while the line was down is lost; an offer said twice does no harm. */
  offerAgain(): void {
    for (const open of this.sockets) inBackground(this.log, 'agent-offers', this.offer(open));
  }

  drain(): void {
    for (const { session } of this.sockets) session.close('RESTART');
  }

  private in(tenant: string, agentId: string): readonly OpenAgent[] {
    return [...this.sockets].filter(({ actor }) => actor.tenant === tenant && actor.subject === agentId);
  }

  private async welcome(open: OpenAgent): Promise<void> {
    await this.presence.here(open.actor.tenant, open.actor.subject);
    await this.offer(open);
  }

  private async offer({ actor, session }: OpenAgent): Promise<void> {
    for (const { thread, runId } of await this.intake.offers.open(actor.tenant, actor.subject))
      session.send('run.offer', { threadId: thread, runId });
  }

  private async pulse(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      const agents = new Map(
        [...this.sockets].map(({ actor }) => [`${actor.tenant} ${actor.subject}`, actor]),
      );
      for (const { tenant, subject } of agents.values()) await this.presence.here(tenant, subject);
      for (const open of this.sockets) await this.vouch(open);
    } catch (error) {
      // While the store is away nobody ends a run either.
      if (!isStoreAway(error)) throw error;
    } finally {
      this.busy = false;
    }
  }

  private async vouch({ session, threads }: OpenAgent): Promise<void> {
    await Promise.all(
      [...threads].map(async (thread) => {
        if (!(await this.intake.offers.vouch(thread, session.id))) threads.delete(thread);
      }),
    );
  }
}
