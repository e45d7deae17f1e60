/** Tells the open sockets what changed: tasks to those who read an inbox, threads to those who read them. */
import { Inject, Injectable } from '@nestjs/common';
import type { CaughtUp } from '@triptych/approvals';
import { asSaid } from '@triptych/fanout';
import type { TenantNews } from '@triptych/platform';
import { AgentSockets } from '../rooms/agent-sockets.js';
import { type Missed, type OpenSession, Sessions } from '../rooms/sessions.js';
import { CountNews } from './count-news.js';
import { resetInbox, TaskNews } from './task-news.js';

@Injectable()
export class NewsDesk {
  constructor(
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(TaskNews) private readonly tasks: TaskNews,
    @Inject(CountNews) private readonly counts: CountNews,
    @Inject(AgentSockets) private readonly agents: AgentSockets,
  ) {}

  async tell(tenant: string, item: TenantNews): Promise<void> {
    if (item.kind === 'thread') return this.tellThread(tenant, item);
    if (item.kind === 'agent') return this.agents.tell(tenant, item);
    this.counts.soon(tenant);
    await this.tasks.tell(tenant, item.taskId);
  }

  /** From now on every change is told here; undefined: no longer, and some may be missed. */
  follow(caughtUp: CaughtUp | undefined): void {
    this.tasks.follow(caughtUp);
  }

  /** Its inbox was read while these changed. */
  catchUp(open: OpenSession, missed: Missed): void {
    if (!missed.all && missed.taskIds.size === 0) return;
    this.counts.soon(open.actor.tenant);
    this.tasks.catchUp(open, missed);
  }

  /** Something may have been missed. */
  reset(): void {
    this.sessions.all().forEach(resetInbox);
    this.agents.offerAgain();
  }

  stop(): void {
    this.counts.stop();
  }

  private tellThread(
    tenant: string,
    { kind: _kind, ...news }: Extract<TenantNews, { kind: 'thread' }>,
  ): void {
    const said = asSaid('thread', news);
    for (const { surface, session } of this.sessions.in(tenant)) {
      const reads = session.threads.some((threadId) => threadId === news.threadId);
      if (reads || surface === 'operator') session.tell(said);
    }
  }
}
