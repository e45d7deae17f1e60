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
import type { AguiEvent, LogEntry, SeenBy, ThreadId, ToldEntry } from '@triptych/protocol';
import { findingsOf, refusedEvents, type ThreadRecord } from '@triptych/runs';
import type { Redis } from 'ioredis';
import { ROOMS } from '../rooms/rooms.providers.js';
import type { LogQueryDto } from './thread.dto.js';

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

  async page(thread: ThreadRecord, { after = 0, limit = PAGE, shown = 'false' }: LogQueryDto) {
    const walked = await this.walk(thread, { after, limit, withShown: shown === 'true' });
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
    wanted: Wanted,
  ): Promise<Omit<LogPage, 'entries'> & { readonly items: readonly object[] }> {
    const { after, limit, withShown } = wanted;
    const start = await this.startBefore(thread, after);
    let views = this.viewsAt(viewed, start);
    const items: object[] = [];
    let page = await this.log.read(thread, start.seq, WALK);
    for (let reached = start.seq; ;) {
      // What lies between was trimmed meanwhile.
      if (page.firstSeq > reached + 1) return this.walk({ threadId: thread, ...viewed }, wanted);
      for (const entry of page.entries) {
        const step = look(views, entry);
        views = step.views;
        if (entry.seq > after && items.length < limit)
          items.push(told(entry, step.seen, withShown ? step.shown : undefined));
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

interface Wanted {
  readonly after: number;
  readonly limit: number;
  readonly withShown: boolean;
}

interface Views {
  readonly customer: View;
  readonly reviewer: View;
}

/** What became of one entry on the surfaces that do not see everything. */
interface ShownTo {
  readonly customer: readonly AguiEvent[];
  readonly reviewer: readonly AguiEvent[];
}

const look = (views: Views, entry: ToldEntry): { views: Views; seen: SeenBy; shown: ShownTo } => {
  const customer = viewStep(views.customer, entry);
  const reviewer = viewStep(views.reviewer, entry);
  return {
    views: { customer: customer.view, reviewer: reviewer.view },
    seen: { customer: customer.seen, reviewer: reviewer.seen },
    shown: { customer: customer.shown, reviewer: reviewer.shown },
  };
};

const told = ({ seq, at, source, event, raw }: LogEntry, seen: SeenBy, shown: ShownTo | undefined) => ({
  seq,
  at,
  source,
  event,
  seen,
  ...(shown === undefined ? {} : { shown }),
  ...(raw === undefined ? {} : { raw }),
});
