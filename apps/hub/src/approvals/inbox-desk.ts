/** Answers who asks for the queue of tasks. */
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import type { Approvals, InboxPage } from '@triptych/approvals';
import { APPROVALS } from '@triptych/assembly/nest';
import { ok, type Result, type TaskCounts } from '@triptych/protocol';
import { type InboxFilter, readInboxFilter } from './inbox-filter.js';
import { parsePage } from './parse-page.js';

/** What a socket is given at once; more is asked for by HTTP. */
const SOCKET_PAGE = 100;

export interface InboxReply extends InboxPage {
  readonly counts: TaskCounts;
}

@Injectable()
export class InboxDesk {
  constructor(@Inject(APPROVALS) private readonly approvals: Approvals) {}

  async list(actor: Actor, query: Readonly<Record<string, unknown>>): Promise<Result<InboxReply>> {
    const filter = readInboxFilter(query);
    if (!filter.ok) return filter;
    const page = parsePage(query);
    return page.ok ? this.ask(actor, { ...filter.value, ...page.value }) : page;
  }

  /** A socket's view of the inbox: the first page, and the filter by which it is kept up to date. */
  async page(
    actor: Actor,
    raw: unknown,
  ): Promise<Result<{ readonly filter: InboxFilter; readonly reply: InboxReply }>> {
    const filter = readInboxFilter(raw, '/filter');
    if (!filter.ok) return filter;
    const reply = await this.ask(actor, { ...filter.value, limit: SOCKET_PAGE });
    return reply.ok ? ok({ filter: filter.value, reply: reply.value }) : reply;
  }

  private async ask(actor: Actor, query: Parameters<Approvals['list']>[1]): Promise<Result<InboxReply>> {
    const page = await this.approvals.list(actor, query);
    if (!page.ok) return page;
    const counts = await this.approvals.counts(actor);
    return counts.ok ? ok({ ...page.value, counts: counts.value }) : counts;
  }
}
