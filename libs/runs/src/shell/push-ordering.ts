/** Takes pushed events in the order of their positions, whichever sources and hubs they came by. */
import { refuse, type Result } from '@triptych/protocol';
import { POSITIONS, type PushAnswer, type PushItem, type PushRequest } from '../core/push-batch.js';
import {
  isTooFar,
  planOrder,
  type Order,
  type OrderPlan,
  type Passed,
  type Waiting,
} from '../core/push-positions.js';
import type { PushNow } from '../core/push-store.js';
import { isOwn, LateTally, nextPosition, StretchTally, type OwnItem } from './order-tallies.js';
import type { PushDeps, PushDesk } from './push-desk.js';
import { holdAfter, isAnothers, type PushAt } from './push-standing.js';
import type { Stepped } from './push-steps.js';
import { PushTally, type PushFault } from './push-tally.js';
import { Outrun } from './versioned-log.js';

/** Events of a thread that wait, and their characters; one body fits whatever its size, or nothing would ever go on. */
const MAX_WAITING = 5_000;
const MAX_WAITING_CHARS = 16 * 1024 * 1024;
/** Events stored, or kept waiting, in one write. */
const MAX_STRETCH = 128;
const MAX_HELD = 500;
/** Characters kept waiting by one write; one is taken whatever its size. */
const MAX_HELD_CHARS = 4 * 1024 * 1024;

const FORGOTTEN: PushFault = {
  rule: 'position-forgotten',
  message: 'It is too long ago to tell whether it was stored.',
};

/** A push whose events have positions; without any it is a look at what has waited long enough. */
export class OrderedPush {
  /** Counts as well what others sent: whether the push comes further. */
  done = 0;
  readonly tally: PushTally;
  private readonly settled = new Set<OwnItem>();
  private readonly own: readonly OwnItem[];

  constructor(request: Omit<PushRequest, 'producer'>) {
    this.tally = new PushTally({ ...request, producer: { id: POSITIONS, epoch: 0, seq: 0 } });
    this.own = request.items.map((item, nth) => ({ position: item.position ?? 0, nth, item }));
  }

  get request(): PushRequest {
    return this.tally.request;
  }

  get open(): readonly OwnItem[] {
    return this.own.filter((item) => !this.settled.has(item));
  }

  settle(items: readonly (OwnItem | Waiting)[]): void {
    this.done += items.length;
    for (const item of items) if (isOwn(item)) this.settled.add(item);
  }
}

export interface OrderingParts {
  deskOf(now: PushNow, request: PushRequest): Promise<PushDesk>;
  goOn(at: PushAt): Promise<Stepped>;
  refuse(at: PushAt, item: PushItem, what: PushFault): Promise<Stepped>;
  /** All of a push is dealt with. */
  answered(at: Pick<PushAt, 'tally' | 'now'>): void;
  /** Some wait, and must not wait for ever. */
  await(request: PushRequest, ms: number): void;
}

interface Found {
  readonly push: OrderedPush;
  readonly now: PushNow;
  readonly order: Order;
  readonly plan: OrderPlan<OwnItem>;
  readonly desk: PushDesk;
}

const passedIn = ({ floor, gaps }: Order): Passed => ({ floor, gaps });

const charsOf = (waiting: readonly Waiting[], later: readonly OwnItem[]): number =>
  waiting.reduce((sum, { chars }) => sum + chars, 0) +
  later.reduce((sum, { item }) => sum + item.text.length, 0);

/** What one write keeps waiting. */
const firstHeld = (later: readonly OwnItem[]): readonly OwnItem[] => {
  let chars = 0;
  const end = later.findIndex(({ item }) => (chars += item.text.length) > MAX_HELD_CHARS);
  return later.slice(0, Math.min(MAX_HELD, end < 0 ? later.length : Math.max(1, end)));
};

export class PushOrdering {
  constructor(
    private readonly deps: PushDeps,
    private readonly parts: OrderingParts,
  ) {}

  async step(push: OrderedPush): Promise<Stepped> {
    const { thread } = push.request;
    const { pushes, reorderWindowMs: windowMs } = this.deps;
    const now = await pushes.read(thread, POSITIONS);
    if (isAnothers(now, push.request)) return over(refuse('NOT_FOUND'));
    const order = { next: nextPosition(now.producer), ...(await pushes.waitingIn(thread)) };
    const tooFar = push.open.find((own) => isTooFar(order, own));
    if (tooFar) return over(outOfReach(push.request, tooFar, order));
    const plan = planOrder(order, push.open, { now: now.now, windowMs });
    if (isFull(order, plan)) return over(tooMany((plan.due ?? now.now) - now.now));
    push.tally.duplicates += plan.repeats.length;
    push.settle(plan.repeats);
    const desk = await this.parts.deskOf(now, push.request);
    return this.follow({ push, now, order, plan, desk });
  }

  private follow(found: Found): Promise<Stepped> {
    const { late, go, later } = found.plan;
    const [first] = late;
    if (first) return this.late(found, first);
    if (go.length > 0) return this.goOn(found);
    return later.length > 0 ? this.hold(found) : this.finish(found);
  }

  private async late({ push, order, ...at }: Found, own: OwnItem): Promise<Stepped> {
    const windowMs = this.deps.reorderWindowMs;
    const tally = new LateTally(push.tally, own, { passed: passedIn(order), windowMs });
    try {
      const isForgotten = own.position <= order.floor;
      if (isForgotten) return await this.parts.refuse({ ...at, tally }, own.item, FORGOTTEN);
      return await this.parts.goOn({ ...at, tally });
    } finally {
      tally.settle();
      if (tally.done > 0) push.settle([own]);
    }
  }

  private async goOn({ push, order, plan, ...at }: Found): Promise<Stepped> {
    const go = plan.go.slice(0, MAX_STRETCH);
    const items = await this.itemsOf(push.request, go);
    const { missing } = plan;
    const windowMs = this.deps.reorderWindowMs;
    const tally = new StretchTally(push.tally, { items, missing, passed: passedIn(order), windowMs });
    try {
      return await this.parts.goOn({ ...at, tally });
    } finally {
      tally.settle();
      push.settle(go.slice(0, tally.done));
    }
  }

  private async itemsOf({ thread }: PushRequest, go: readonly (OwnItem | Waiting)[]) {
    const positions = go.flatMap((from) => (isOwn(from) ? [] : [from.position]));
    const texts = await this.deps.pushes.heldItems(thread, positions);
    const held = new Map(positions.map((position, nth) => [position, texts[nth]]));
    return go.map((from) => {
      const item = isOwn(from) ? from.item : held.get(from.position);
      if (!item) throw new Outrun('it waits no longer');
      return { from, item };
    });
  }

  private async hold({ push, plan, now, desk }: Found): Promise<Stepped> {
    const { thread, tenant, subject, agent } = push.request;
    if (!now.thread) {
      // What waits must belong to somebody.
      await this.deps.ledger.createThread({ threadId: thread, tenant, owner: subject, agentId: agent.id });
      return { is: 'again' };
    }
    const held = firstHeld(plan.later);
    const hold = holdAfter({ tally: push.tally, now, desk });
    const order = { held: held.map(({ item }) => item), since: now.now };
    // Ahead of it: whoever looks must find it, whatever becomes of this hub.
    await this.deps.pushes.lookAgain(thread, plan.due);
    const guard = this.deps.pushes.cancelGuard(thread, now.active?.cancelled ?? false);
    desk.log.marking({ order, ...(hold ? { hold } : {}) }, [guard]);
    await desk.log.append({ thread, events: [] });
    push.tally.buffered += held.length;
    push.settle(held);
    return { is: 'again' };
  }

  private async finish({ push, plan, now, desk }: Found): Promise<Stepped> {
    if (!now.thread) return over(refuse('NOT_FOUND'));
    if (plan.due !== undefined) {
      await this.deps.pushes.lookAgain(push.request.thread, plan.due);
      this.parts.await(push.request, plan.due - now.now);
    }
    this.parts.answered({ tally: push.tally, now });
    const { epoch, head } = desk.log.place;
    return over(push.tally.answer(`${epoch}:${head}`));
  }
}

/** Not early on: a fast source would otherwise put the slow ones out of order. */
const isFull = ({ waiting }: Order, { later }: OrderPlan<OwnItem>): boolean =>
  waiting.length > 0 &&
  later.length > 0 &&
  (waiting.length + later.length > MAX_WAITING || charsOf(waiting, later) > MAX_WAITING_CHARS);

const outOfReach = ({ at }: PushRequest, { nth }: OwnItem, { next }: Order): Result<never> =>
  refuse('INVALID_INPUT', {
    message: 'The position is too far ahead of the one that is awaited.',
    details: { pointer: `${at}/${nth}/position`, expected: next },
  });

const tooMany = (retryAfterMs: number): Result<never> =>
  refuse('RATE_LIMITED', {
    message: 'Too many events wait for a missing position.',
    retryAfterMs,
    details: { limit: 'REORDER_WINDOW_MS', events: MAX_WAITING },
  });

const over = (answer: Result<PushAnswer>): Stepped => ({ is: 'over', answer });
