/** Reads a thread's log for an operator, page by page, with what each surface got of every event. */
import { Inject, Injectable } from '@nestjs/common';
import { beginView, viewStep, type View, type ViewedThread } from '@triptych/access';
import {
  EVENT_LOG,
  POLICY,
  type LogPage,
  type LogStart,
  type PolicySource,
  type RedisEventLog,
} from '@triptych/assembly/nest';
import type { Rooms } from '@triptych/fanout';
import { REDIS } from '@triptych/platform/nest';
import type { LogEntry, SeenBy, ThreadId, ToldEntry } from '@triptych/protocol';
import { findingsOf, refusedEvents, type ThreadRecord } from '@triptych/runs';
import type { Redis } from 'ioredis';
import { ROOMS } from '../rooms/rooms.providers.js';

const PAGE = 200;
/** Entries a read; who saw what depends on what came before, so a page is walked to from the snapshot before it. */
const WALK = 500;

@Injectable()
export class OperatorLog {
  constructor(
    @Inject(EVENT_LOG) private readonly log: RedisEventLog,
    @Inject(POLICY) private readonly policy: PolicySource,
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(ROOMS) private readonly rooms: Rooms,
  ) {}

  async page(thread: ThreadRecord, { after = 0, limit = PAGE }: { after?: number; limit?: number }) {
    const walked = await this.walk(thread, { after, limit });
    const refused = after === 0 ? await refusedEvents(this.redis, thread.threadId) : [];
    const items = [
      ...walked.items,
      ...refused.map(({ text, rule, message, at }) => ({ refused: true, rule, message, event: text, at })),
    ];
    return { items, firstSeq: walked.firstSeq, epoch: walked.epoch, head: walked.head };
  }

  findings(thread: ThreadId, asked: Parameters<typeof findingsOf>[2]) {
    return findingsOf(this.redis, thread, asked);
  }

  subscribers(thread: ThreadId) {
    return this.rooms.readersOf(thread).map(({ reader: { who }, surface, behind, unsent, paused }) => ({
      ...{ who, surface, behind, unsentBytes: unsent, paused },
    }));
  }

  private async walk(
    { threadId: thread, ...viewed }: ThreadRecord,
    { after, limit }: { after: number; limit: number },
  ): Promise<Omit<LogPage, 'entries'> & { readonly items: readonly object[] }> {
    const start = await this.startBefore(thread, after);
    let views = this.viewsAt(viewed, start);
    const items: object[] = [];
    let page = await this.log.read(thread, start.seq, WALK);
    for (let reached = start.seq; ;) {
      // What lies between was trimmed meanwhile.
      if (page.firstSeq > reached + 1) return this.walk({ threadId: thread, ...viewed }, { after, limit });
      for (const entry of page.entries) {
        const step = look(views, entry);
        views = step.views;
        if (entry.seq > after && items.length < limit) items.push(shown(entry, step.seen));
      }
      reached = page.entries.at(-1)?.seq ?? page.head;
      if (reached >= page.head || items.length >= limit) return { items, ...page };
      page = await this.log.read(thread, reached, WALK);
    }
  }

  /** What was trimmed cannot be listed: then all that is kept follows. */
  private async startBefore(thread: ThreadId, after: number): Promise<LogStart> {
    const start = await this.log.beginAt(thread, after);
    return start === 'trimmed' ? this.log.begin(thread, Number.MAX_SAFE_INTEGER) : start;
  }

  private viewsAt(viewed: ViewedThread, { entries }: LogStart): Views {
    const policy = this.policy.current();
    const views = {
      customer: beginView(policy, 'customer', viewed),
      reviewer: beginView(policy, 'reviewer', viewed),
    };
    return entries.reduce<Views>((at, entry) => look(at, entry).views, views);
  }
}

interface Views {
  readonly customer: View;
  readonly reviewer: View;
}

const look = (views: Views, entry: ToldEntry): { views: Views; seen: SeenBy } => {
  const customer = viewStep(views.customer, entry);
  const reviewer = viewStep(views.reviewer, entry);
  return {
    views: { customer: customer.view, reviewer: reviewer.view },
    seen: { customer: customer.seen, reviewer: reviewer.seen },
  };
};

const shown = ({ seq, at, source, event, raw }: LogEntry, seen: SeenBy) => ({
  seq,
  at,
  source,
  event,
  seen,
  ...(raw === undefined ? {} : { raw }),
});
