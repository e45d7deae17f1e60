/** Answers who asks for the queue of tasks. */
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import { MAX_SHOWN, type Approvals, type InboxPage, type InboxQuery } from '@triptych/approvals';
import { APPROVALS, HUB_SECRET } from '@triptych/assembly/nest';
import { ok, refuse, type Result, type TaskCounts } from '@triptych/protocol';
import { openCursor, sealCursor } from '../http/sealed-cursor.js';
import { type AskedInbox, readInboxFilter } from './inbox-filter.js';
import { parsePage } from './parse-page.js';

/** What a socket is given at once, unless it asks for more or less. */
const SOCKET_PAGE = 100;

const limitOf = (raw: unknown): Result<number> => {
  if (raw === undefined) return ok(SOCKET_PAGE);
  return typeof raw === 'number' && Number.isInteger(raw) && raw >= 1 && raw <= MAX_SHOWN
    ? ok(raw)
    : refuse('INVALID_INPUT', { details: { pointer: '/limit' } });
};

export interface InboxReply extends InboxPage {
  readonly counts: TaskCounts;
}

@Injectable()
export class InboxDesk {
  constructor(
    @Inject(APPROVALS) private readonly approvals: Approvals,
    @Inject(HUB_SECRET) private readonly secret: Buffer,
  ) {}

  async list(actor: Actor, query: Readonly<Record<string, unknown>>): Promise<Result<InboxReply>> {
    const filter = readInboxFilter(query);
    if (!filter.ok) return filter;
    const page = parsePage(query);
    if (!page.ok) return page;
    const { cursor: sealed, ...rest } = page.value;
    const asked = { ...filter.value, ...rest };
    if (sealed === undefined) return this.ask(actor, asked);
    const cursor = openCursor(this.secret, sealed);
    if (cursor === undefined) return refuse('INVALID_INPUT', { details: { pointer: '/cursor' } });
    return this.ask(actor, { ...asked, cursor });
  }

  /** A socket's view of the inbox: the first page, and the filter by which it is kept up to date. */
  async page(
    actor: Actor,
    { filter: raw, limit: count }: Readonly<Record<string, unknown>>,
  ): Promise<Result<{ readonly filter: AskedInbox; readonly reply: InboxReply }>> {
    const filter = readInboxFilter(raw, '/filter');
    if (!filter.ok) return filter;
    const limit = limitOf(count);
    if (!limit.ok) return limit;
    const reply = await this.ask(actor, { ...filter.value, limit: limit.value });
    return reply.ok ? ok({ filter: filter.value, reply: reply.value }) : reply;
  }

  private async ask(actor: Actor, query: InboxQuery): Promise<Result<InboxReply>> {
    const page = await this.approvals.list(actor, query);
    if (!page.ok) return page;
    const counts = await this.approvals.counts(actor, query);
    if (!counts.ok) return counts;
    const { items, total, nextCursor: next } = page.value;
    const nextCursor = next === undefined ? {} : { nextCursor: sealCursor(this.secret, next) };
    return ok({ items, total, ...nextCursor, counts: counts.value });
  }
}
