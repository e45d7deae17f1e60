/** Reads a thread's log for an operator, page by page, with what each surface got of every event. */
import { Inject, Injectable } from '@nestjs/common';
import { beginView, viewStep, type View } from '@triptych/access';
import { EVENT_LOG, POLICY, type PolicySource, type RedisEventLog } from '@triptych/assembly/nest';
import type { Rooms } from '@triptych/fanout';
import { REDIS } from '@triptych/platform/nest';
import type { LogEntry, SeenBy, ThreadId } from '@triptych/protocol';
import { refusedEvents, type ThreadRecord } from '@triptych/runs';
import type { Redis } from 'ioredis';
import { ROOMS } from '../rooms/rooms.providers.js';

const PAGE = 200;
/** Entries a read; a page near the end of a long log walks the log once, because who saw what depends on what came before. */
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

  subscribers(thread: ThreadId) {
    return this.rooms
      .readersOf(thread)
      .map(({ surface, behind, unsent, paused }) => ({ surface, behind, unsentBytes: unsent, paused }));
  }

  private async walk(
    { threadId: thread, ...viewed }: ThreadRecord,
    { after, limit }: { after: number; limit: number },
  ) {
    const policy = this.policy.current();
    let views = {
      customer: beginView(policy, 'customer', viewed),
      reviewer: beginView(policy, 'reviewer', viewed),
    };
    const items: object[] = [];
    let page = await this.log.read(thread, 0, WALK);
    for (;;) {
      for (const entry of page.entries) {
        const step = look(views, entry);
        views = step.views;
        if (entry.seq > after && items.length < limit) items.push(shown(entry, step.seen));
      }
      const last = page.entries.at(-1)?.seq ?? page.head;
      if (last >= page.head || items.length >= limit) return { items, ...page };
      page = await this.log.read(thread, last, WALK);
    }
  }
}

interface Views {
  readonly customer: View;
  readonly reviewer: View;
}

const look = (views: Views, entry: LogEntry): { views: Views; seen: SeenBy } => {
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
