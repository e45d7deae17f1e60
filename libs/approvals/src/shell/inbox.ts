/** Finds the tasks a person is a candidate for, in the order they ask for, and counts them. */
import { can, permit, REVIEW_MEMORY_MS, type Actor, type Candidacy } from '@triptych/access';
import {
  ok,
  OPEN_TASK_STATES,
  type Result,
  type TaskCounts,
  type TaskState,
  type TaskView,
} from '@triptych/protocol';
import type { Loaded } from '../core/approval-store.js';
import { taskIn, type Batch } from '../core/batch.js';
import { CardGlance } from '../core/card-glance.js';
import type { Card, ShownTo } from '../core/inbox-card.js';
import { FacetsMemo } from '../core/facets-memo.js';
import { FacetCount, type InboxFacets } from '../core/inbox-facets.js';
import { inboxCursor, readInboxCursor } from '../core/inbox-order.js';
import {
  asks,
  DEFAULT_PAGE,
  matchesInbox,
  MAX_SHOWN,
  wantsPast,
  type InboxFilter,
  type InboxQuery,
} from '../core/inbox-query.js';
import { mayRead, readersOf } from '../core/matter.js';
import { PagePick } from '../core/page-pick.js';
import type { Task } from '../core/task.js';
import type { CardShelves } from './card-shelves.js';
import type { ReadingDesk } from './desk.js';
import { loadReadable } from './load-readable.js';
import { show } from './show.js';

/** Batches of one thread that count for who may read it. */
const MAX_BATCHES = 200;

export interface InboxPage {
  readonly items: readonly TaskView[];
  /** How many are asked for, on all pages. */
  readonly total: number;
  readonly nextCursor?: string;
}

/** Counts for each of a tenant's people, at one moment. */
export type CountsFor = (actor: Actor, filter: InboxFilter) => Result<TaskCounts>;

const candidacyOf = ({ facts, status }: Batch, task: Task): Candidacy => {
  const { owner: _owner, ...candidacy } = readersOf(facts, task);
  return status.state === 'done' ? { ...candidacy, closedAt: status.at } : candidacy;
};

const mayList = (actor: Actor): Result<true> => permit(actor, 'task.list', { tenant: actor.tenant });

const shownTo = (actor: Actor): ShownTo =>
  can(actor, 'task.whole', { tenant: actor.tenant }) ? 'operator' : 'audience';

export class Inbox {
  private readonly memo = new FacetsMemo();

  constructor(
    private readonly desk: ReadingDesk,
    private readonly shelves: CardShelves,
  ) {}

  async list(actor: Actor, query: InboxQuery): Promise<Result<InboxPage>> {
    const allowed = mayList(actor);
    if (!allowed.ok) return allowed;
    const after = readInboxCursor(query);
    if (!after.ok) return after;
    const now = await this.desk.store.now();
    const limit = Math.min(query.limit ?? DEFAULT_PAGE, MAX_SHOWN);
    const ordering = {
      sort: query.sort ?? 'created',
      at: after.value?.at ?? now,
      to: shownTo(actor),
    } as const;
    const pick = new PagePick<Card>({ ...ordering, after: after.value, size: limit + 1 });
    const isAsked = asks(query);
    let total = 0;
    await this.glance(actor, { past: wantsPast(query), now }, (seen) => {
      if (!isAsked(seen)) return;
      total += 1;
      pick.offer(seen.card);
    });
    const page = pick.page.slice(0, limit);
    const items = await this.shown(
      actor,
      query,
      page.map(({ task }) => task),
    );
    const last = pick.page.length > limit ? page.at(-1) : undefined;
    return ok({ items, total, ...(last ? { nextCursor: inboxCursor(query, last.place) } : {}) });
  }

  /** What is open for this person, by what it is looked for by. */
  async facets(actor: Actor): Promise<Result<InboxFacets>> {
    const allowed = mayList(actor);
    if (!allowed.ok) return allowed;
    const follows = await this.shelves.caughtUpNow();
    const kept = this.memo.of(actor.tenant);
    const now = await this.desk.store.now();
    const found = follows ? kept.get(actor, now) : undefined;
    const count = found ?? (await this.counted(actor, now));
    if (follows && !found) kept.put(actor, now, count);
    return ok(count.facetsFor(actor.subject));
  }

  heard(tenant: string): void {
    this.memo.heard(tenant);
  }

  /** News may have been missed. */
  forget(): void {
    this.memo.clear();
  }

  private async counted(actor: Actor, now: number): Promise<FacetCount> {
    const count = new FacetCount(now);
    await this.glance(actor, { past: false, now }, (seen) => count.add(seen));
    return count;
  }

  /** One glance goes over all cards: of tens of thousands nothing is made anew. */
  private async glance(
    actor: Actor,
    reach: { readonly past: boolean; readonly now: number },
    see: (seen: CardGlance) => void,
  ): Promise<void> {
    let seen: CardGlance | undefined;
    await this.shelves.visit(actor, reach, (card) => {
      seen ??= new CardGlance(card, shownTo(actor), reach.now);
      seen.card = card;
      see(seen);
    });
  }

  async counts(actor: Actor, filter: InboxFilter): Promise<Result<TaskCounts>> {
    return (await this.countsIn(actor.tenant, wantsPast(filter)))(actor, filter);
  }

  /** Open tasks by state, and those of other states where the filter asks for them. */
  async countsIn(tenant: string, past: boolean): Promise<CountsFor> {
    const tally = await this.shelves.tally({ tenant, past, now: await this.desk.store.now() });
    return (actor, { states = [] }) => {
      const allowed = permit(actor, 'task.list', { tenant });
      if (!allowed.ok) return allowed;
      return ok(tally.for(actor, [...new Set<TaskState>([...OPEN_TASK_STATES, ...states])]));
    };
  }

  /** Threads with a task this person is a candidate for, or lately was. */
  async threadsOf(actor: Actor): Promise<readonly string[]> {
    const threads = new Set<string>();
    const now = await this.desk.store.now();
    await this.shelves.visit(actor, { past: true, now }, ({ closedAt, threadId }) => {
      if (closedAt === undefined || now - closedAt <= REVIEW_MEMORY_MS) threads.add(threadId);
    });
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

  /** A card says where to look; what is shown, and whether it may be, is read and judged anew. */
  private async shown(actor: Actor, query: InboxQuery, cards: readonly Card[]): Promise<readonly TaskView[]> {
    const ids = [...new Set(cards.map(({ batchId }) => batchId))];
    const { loaded } = await loadReadable(this.desk, ids);
    const byId = new Map<string, Loaded>(loaded.map((one) => [one.batch.facts.batchId, one]));
    return cards.flatMap((card): TaskView[] => {
      const view = this.viewOf(actor, card, byId.get(card.batchId));
      if (view && matchesInbox(view, query)) return [view];
      this.shelves.heard(actor.tenant, card.taskId);
      return [];
    });
  }

  private viewOf(actor: Actor, { taskId }: Card, loaded: Loaded | undefined): TaskView | undefined {
    const task = loaded && taskIn(loaded.batch, taskId);
    if (!loaded || !task) return undefined;
    const matter = { batch: loaded.batch, task, actor, now: loaded.now };
    return mayRead(matter) ? show(this.desk.policy(), matter) : undefined;
  }
}
