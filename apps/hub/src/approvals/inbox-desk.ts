/** Answers who asks for the queue of tasks. */
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import { type Approvals, type InboxPage, MAX_PAGE } from '@triptych/approvals';
import { APPROVALS } from '@triptych/assembly/nest';
import { ok, refuse, type Result, type TaskCounts } from '@triptych/protocol';
import { type InboxFilter, readInboxFilter } from './inbox-filter.js';

/** What a socket is given at once; more is asked for by HTTP. */
const SOCKET_PAGE = 100;

export interface InboxReply extends InboxPage {
  readonly counts: TaskCounts;
}

const refuseAt = (pointer: string): Result<never> => refuse('INVALID_INPUT', { details: { pointer } });

const limitIn = (raw: unknown): Result<{ readonly limit?: number }> => {
  if (raw === undefined) return ok({});
  const limit = typeof raw === 'string' && /^\d{1,4}$/u.test(raw) ? Number(raw) : 0;
  return limit >= 1 && limit <= MAX_PAGE ? ok({ limit }) : refuseAt('/limit');
};

@Injectable()
export class InboxDesk {
  constructor(@Inject(APPROVALS) private readonly approvals: Approvals) {}

  async list(actor: Actor, query: Readonly<Record<string, unknown>>): Promise<Result<InboxReply>> {
    const filter = readInboxFilter(query);
    if (!filter.ok) return filter;
    const limit = limitIn(query.limit);
    if (!limit.ok) return limit;
    const { cursor } = query;
    if (cursor !== undefined && typeof cursor !== 'string') return refuseAt('/cursor');
    return this.ask(actor, { ...filter.value, ...limit.value, ...(cursor === undefined ? {} : { cursor }) });
  }

  /** A socket's view of the inbox: the first page, and the filter by which it is kept up to date. */
  async page(
    actor: Actor,
    raw: unknown,
  ): Promise<Result<{ readonly filter: InboxFilter; readonly reply: InboxReply }>> {
    const filter = readInboxFilter(raw);
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
