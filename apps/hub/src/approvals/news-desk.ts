/** Tells the open sockets what changed: tasks to those who read an inbox, threads to those who read them. */
import { Inject, Injectable } from '@nestjs/common';
import { type Approvals, matchesInbox } from '@triptych/approvals';
import { APPROVALS } from '@triptych/assembly/nest';
import { inBackground, type Log, type TenantNews } from '@triptych/platform';
import { LOG } from '@triptych/platform/nest';
import { asSaid } from '@triptych/fanout';
import { sameJson } from '@triptych/protocol';
import { AgentSockets } from '../rooms/agent-sockets.js';
import { type OpenSession, Sessions } from '../rooms/sessions.js';

/** Counts follow a burst of changes at once, not each of them, ms. */
const COUNTS_AFTER_MS = 250;
/** Tasks a socket is remembered to know; beyond that the oldest are forgotten, and their end is not told. */
const MAX_KNOWN = 1_000;

@Injectable()
export class NewsDesk {
  private readonly waiting = new Map<string, NodeJS.Timeout>();
  private stopped = false;

  constructor(
    @Inject(APPROVALS) private readonly approvals: Approvals,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(AgentSockets) private readonly agents: AgentSockets,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async tell(tenant: string, item: TenantNews): Promise<void> {
    if (item.kind === 'thread') return this.tellThread(tenant, item);
    if (item.kind === 'agent') return this.agents.tell(tenant, item);
    const readers = this.readers(tenant);
    await Promise.all(readers.map((session) => this.tellTask(session, item.taskId)));
    if (readers.length > 0) this.countSoon(tenant);
  }

  /** Something may have been missed. */
  reset(): void {
    for (const { inbox, session } of this.sessions.all()) if (inbox) session.send('inbox.reset', {});
    this.agents.offerAgain();
  }

  /** What is told from now on is counted for nobody. */
  stop(): void {
    this.stopped = true;
    for (const timer of this.waiting.values()) clearTimeout(timer);
    this.waiting.clear();
  }

  private readers(tenant: string): readonly OpenSession[] {
    return this.sessions.in(tenant).filter(({ inbox }) => inbox !== undefined);
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

  /** Whoever may not know of a task is told nothing, unless they knew it before. */
  private async tellTask(open: OpenSession, taskId: string): Promise<void> {
    const { actor, inbox, session } = open;
    if (!inbox) return;
    const task = await this.approvals.get(actor, taskId);
    // By other rights or another filter it may not be for them any more.
    if (!isStill(open, { actor, inbox })) return this.tellTask(open, taskId);
    if (task.ok && (inbox.known.has(taskId) || matchesInbox(task.value, inbox.filter))) {
      remember(inbox.known, taskId);
      session.send('task', task.value);
    }
    if (!task.ok && inbox.known.delete(taskId)) session.send('task', { taskId, gone: true });
  }

  private countSoon(tenant: string): void {
    if (this.stopped || this.waiting.has(tenant)) return;
    const timer = setTimeout(() => {
      this.waiting.delete(tenant);
      inBackground(this.log, 'inbox-counts', this.count(tenant));
    }, COUNTS_AFTER_MS);
    this.waiting.set(tenant, timer);
  }

  private async count(tenant: string): Promise<void> {
    for (const open of this.readers(tenant)) await this.tellCounts(open);
  }

  /** Only what changed for this reader: that something changed for others is not theirs to know. */
  private async tellCounts(open: OpenSession): Promise<void> {
    const { actor, inbox, session } = open;
    const counts = await this.approvals.counts(actor);
    if (!inbox || !counts.ok || !isStill(open, { actor, inbox }) || sameJson(counts.value, inbox.counts))
      return;
    inbox.counts = counts.value;
    session.send('counts', counts.value);
  }
}

const isStill = (open: OpenSession, { actor, inbox }: Pick<OpenSession, 'actor' | 'inbox'>): boolean =>
  open.actor === actor && open.inbox === inbox;

const remember = (known: Set<string>, taskId: string): void => {
  known.add(taskId);
  const [oldest] = known;
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
};
