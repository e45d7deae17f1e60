/** Finds the tasks a person is a candidate for, newest first. */
import { can, REVIEW_MEMORY_MS, type Actor, type Candidacy } from '@triptych/access';
import {
  ok,
  OPEN_TASK_STATES,
  refuse,
  type Result,
  type TaskCounts,
  type TaskView,
} from '@triptych/protocol';
import type { IndexPlace, Loaded } from '../core/approval-store.js';
import { taskIn, type Batch } from '../core/batch.js';
import { parseTaskId } from '../core/ids.js';
import {
  cursorOf,
  DEFAULT_PAGE,
  indexesFor,
  matchesInbox,
  MAX_PAGE,
  parseCursor,
  type InboxQuery,
} from '../core/inbox-query.js';
import { mayRead, type Matter } from '../core/matter.js';
import type { Task } from '../core/task.js';
import { stateOf } from '../core/task-view.js';
import { beside, type Desk } from './desk.js';
import { chunksOf, newestFirst } from './newest-first.js';
import { show } from './show.js';

/** What one question may look through; the next page goes on from there. */
const MAX_SCANNED = 5_000;
/** An entry without its task is dropped after this: until then its task may still come. Milliseconds. */
const DANGLING_MS = 3_600_000;
/** Batches of one thread that count for who may read it. */
const MAX_BATCHES = 200;

export interface InboxPage {
  readonly items: readonly TaskView[];
  readonly nextCursor?: string;
}

interface Found {
  readonly place: IndexPlace;
  readonly matter: Matter;
}

const candidacyOf = ({ facts, status }: Batch, { ruling }: Task): Candidacy => ({
  tenant: facts.tenant,
  audience: ruling.audience,
  groups: ruling.groups,
  approvable: ruling.approvable,
  ...(status.state === 'done' ? { closedAt: status.at } : {}),
});

export class Inbox {
  constructor(private readonly desk: Desk) {}

  async list(actor: Actor, query: InboxQuery): Promise<Result<InboxPage>> {
    if (!can(actor, 'task.list', { tenant: actor.tenant })) return refuse('FORBIDDEN');
    const after = parseCursor(query.cursor);
    if (!after.ok) return after;
    const limit = Math.min(query.limit ?? DEFAULT_PAGE, MAX_PAGE);
    const items: TaskView[] = [];
    let last = after.value;
    let scanned = 0;
    for await (const chunk of this.scan(actor, query, after.value)) {
      for (const { place, matter } of chunk.found) {
        const view = show(this.desk.policy(), matter);
        if (!matchesInbox(view, query)) continue;
        if (items.length === limit && last) return ok({ items, nextCursor: cursorOf(last) });
        items.push(view);
        last = place;
      }
      scanned += chunk.size;
      if (scanned >= MAX_SCANNED) return ok({ items, nextCursor: cursorOf(chunk.last) });
    }
    return ok({ items });
  }

  /** Open tasks by state; a tenant with more than can be looked through gets the newest counted. */
  async counts(actor: Actor): Promise<Result<TaskCounts>> {
    if (!can(actor, 'task.list', { tenant: actor.tenant })) return refuse('FORBIDDEN');
    const counts: Partial<Record<TaskView['state'], number>> = {};
    let scanned = 0;
    for await (const { found, size } of this.scan(actor, {})) {
      for (const { matter } of found) {
        const state = stateOf(matter);
        if (OPEN_TASK_STATES.includes(state)) counts[state] = (counts[state] ?? 0) + 1;
      }
      scanned += size;
      if (scanned >= MAX_SCANNED) break;
    }
    return ok(counts);
  }

  /** Threads with a task this person is a candidate for, or lately was. */
  async threadsOf(actor: Actor): Promise<readonly string[]> {
    const threads = new Set<string>();
    let scanned = 0;
    const states = ['pending', 'decided'] as const;
    for await (const { found, size, now } of this.scan(actor, { states })) {
      for (const { matter } of found) {
        const { closedAt } = candidacyOf(matter.batch, matter.task);
        if (closedAt === undefined || now - closedAt <= REVIEW_MEMORY_MS)
          threads.add(matter.batch.facts.threadId);
      }
      scanned += size;
      if (scanned >= MAX_SCANNED) break;
    }
    return [...threads];
  }

  /** Who the tasks of a thread are for: those not closed, and those closed within the memory of a reviewer. */
  async candidacies(threadId: string): Promise<readonly Candidacy[]> {
    const now = await this.desk.store.now();
    const all = await this.desk.store.batchesOf(threadId, MAX_BATCHES);
    // A thread has one open batch at a time: each was closed before the next was opened.
    const near = all.filter((_, i) => (all[i - 1]?.openedAt ?? now) >= now - REVIEW_MEMORY_MS);
    const loaded = await this.desk.store.loadMany(near.map(({ batchId }) => batchId));
    return loaded.flatMap(({ batch }) => batch.tasks.map((task) => candidacyOf(batch, task)));
  }

  private async *scan(actor: Actor, query: InboxQuery, after?: IndexPlace) {
    const { tenant } = actor;
    const indexes = indexesFor(query);
    for await (const places of chunksOf(newestFirst(this.desk.store, { tenant, indexes, after }))) {
      const loaded = await this.batchesAt(places);
      const found = places.flatMap((place): Found[] => {
        const matter = this.matterAt(place, actor, loaded);
        return matter ? [{ place, matter }] : [];
      });
      if (!indexes.includes('past')) this.retireSettled(found);
      const now = loaded.now;
      const [last] = places.slice(-1);
      if (last) yield { found, size: places.length, last, now };
    }
  }

  private retireSettled(found: readonly Found[]): void {
    for (const { matter } of found.filter((one) => one.matter.task.status === 'settled'))
      beside(this.desk, 'approvals.index-late', this.desk.store.retire(matter.batch, [matter.task.taskId]));
  }

  private async batchesAt(places: readonly IndexPlace[]) {
    const ids = new Set(places.flatMap(({ member }) => parseTaskId(member)?.batchId ?? []));
    const now = await this.desk.store.now();
    const loaded = await this.desk.store.loadMany([...ids]);
    return {
      now,
      batches: new Map<string, Loaded>(loaded.map((found) => [found.batch.facts.batchId, found])),
    };
  }

  /** Entries are written before their tasks and leave after them; both ends are mended by whoever comes by. */
  private matterAt(
    { member, score }: IndexPlace,
    actor: Actor,
    { now, batches }: { readonly now: number; readonly batches: ReadonlyMap<string, Loaded> },
  ): Matter | undefined {
    const loaded = batches.get(parseTaskId(member)?.batchId ?? '');
    const task = loaded && taskIn(loaded.batch, member);
    if (!loaded || !task) {
      if (now - score > DANGLING_MS)
        beside(this.desk, 'approvals.index-late', this.desk.store.forget(actor.tenant, [member]));
      return undefined;
    }
    const matter = { batch: loaded.batch, task, actor, now: loaded.now };
    return mayRead(matter) ? matter : undefined;
  }
}
