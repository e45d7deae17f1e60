/** Shows the cards of a tenant: out of memory where news keep them true, else out of the store. */
import type { Actor, Policy } from '@triptych/access';
import type { Batch } from '../core/batch.js';
import { parseTaskId } from '../core/ids.js';
import { cardOf, stateAt, type Card } from '../core/inbox-card.js';
import { InboxTally } from '../core/inbox-tally.js';
import { areReaders, type Readers } from '../core/matter.js';
import { BeyondMemory, CardShelf } from './card-shelf.js';
import { walkBatches } from './card-walk.js';
import type { ReadingDesk } from './desk.js';
import { shownOn } from './show.js';

/** All cards of a process together: some 150,000 tasks. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Where a tenant has more than that, this long until it is tried again, ms. */
const WALK_FOR_MS = 600_000;

/** Resolves when all news that were told before the call have been heard. */
export type CaughtUp = () => Promise<void>;

export interface Reach {
  readonly tenant: string;
  /** Tasks that are over too. */
  readonly past: boolean;
  /** The store's clock; Unix milliseconds. */
  readonly now: number;
}

interface Kept {
  readonly policy: Policy;
  readonly shelf: CardShelf;
}

export class CardShelves {
  /** Whoever was asked for least lately comes first. */
  private readonly kept = new Map<string, Kept>();
  private readonly tooLarge = new Map<string, number>();
  private caughtUp: CaughtUp | undefined;

  constructor(
    private readonly desk: ReadingDesk,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  /** undefined: news may be missed from now on, and nothing is believed that was kept by them. */
  follow(caughtUp: CaughtUp | undefined): void {
    this.caughtUp = caughtUp;
    this.kept.clear();
  }

  /** False: news may be missed, and nothing may be kept by them. */
  async caughtUpNow(): Promise<boolean> {
    const { caughtUp } = this;
    await caughtUp?.();
    return caughtUp !== undefined && caughtUp === this.caughtUp;
  }

  heard(tenant: string, taskId: string): void {
    const name = parseTaskId(taskId);
    const shelf = this.kept.get(tenant)?.shelf;
    // APR-97: a tenant that nobody asks for takes no room for ever.
    if (name && shelf && !shelf.heard(name.batchId)) this.kept.delete(tenant);
  }

  /** Shows them what they may read. */
  async visit(actor: Actor, reach: Omit<Reach, 'tenant'>, see: (card: Card) => void): Promise<void> {
    const there = { ...reach, tenant: actor.tenant };
    const shelf = await this.ready(there);
    if (shelf) return shelf.visit(actor, reach.past, see);
    const mayRead = readableBy(actor);
    await this.walk(there, (card) => {
      if (mayRead(card)) see(card);
    });
  }

  async tally(reach: Reach): Promise<InboxTally> {
    const shelf = await this.ready(reach);
    if (shelf) return shelf.tally(reach.past, reach.now);
    const tally = new InboxTally();
    await this.walk(reach, (card) => tally.add(card.readers, stateAt(card, reach.now)));
    return tally;
  }

  /** undefined: what is in memory is not known to be true, or not all there is. */
  private async ready(reach: Reach): Promise<CardShelf | undefined> {
    const { caughtUp } = this;
    if (!caughtUp || this.isTooLarge(reach)) return undefined;
    const shelf = this.shelfOf(reach.tenant);
    try {
      await shelf.fill('open');
      if (reach.past) await shelf.fill('past');
      await caughtUp();
      await shelf.fresh();
    } catch (error) {
      if (!(error instanceof BeyondMemory)) throw error;
      this.tooLarge.set(nameOf(reach), reach.now + WALK_FOR_MS);
    }
    this.spareMemory(reach.tenant);
    return this.isGood(shelf, reach) ? shelf : undefined;
  }

  /** News may have been missed, or the policy changed, while it was read. */
  private isGood(shelf: CardShelf, { tenant, past }: Reach): boolean {
    const kept = this.kept.get(tenant);
    return kept?.shelf === shelf && shelf.has('open') && (!past || shelf.has('past'));
  }

  private isTooLarge(reach: Reach): boolean {
    const until = this.tooLarge.get(nameOf(reach));
    if (until === undefined) return false;
    if (reach.now < until) return true;
    this.tooLarge.delete(nameOf(reach));
    return false;
  }

  /** What is searched is what the policy shows, so another policy wants other cards. */
  private shelfOf(tenant: string): CardShelf {
    const policy = this.desk.policy();
    const found = this.kept.get(tenant);
    const { shelf } = found?.policy === policy ? found : { shelf: this.newShelf(tenant, policy) };
    this.kept.delete(tenant);
    this.kept.set(tenant, { policy, shelf });
    return shelf;
  }

  private newShelf(tenant: string, policy: Policy): CardShelf {
    return new CardShelf(this.desk, {
      tenant,
      maxBytes: this.maxBytes,
      cardsOf: (batch) => cardsOf(policy, batch),
    });
  }

  private spareMemory(asked: string): void {
    let bytes = 0;
    for (const { shelf } of this.kept.values()) bytes += shelf.bytes;
    for (const [tenant, { shelf }] of this.kept) {
      if (bytes <= this.maxBytes) return;
      if (tenant === asked && shelf.bytes <= this.maxBytes) continue;
      this.kept.delete(tenant);
      bytes -= shelf.bytes;
    }
  }

  /** The same without memory, in as many steps as there are tasks. */
  private async walk({ tenant, past }: Reach, see: (card: Card) => void): Promise<void> {
    const policy = this.desk.policy();
    const seen = new Set<string>();
    const seeAll = (batch: Batch): void => cardsOf(policy, batch).forEach(see);
    for await (const batches of walkBatches(this.desk, { tenant, index: 'open' })) {
      batches.forEach(seeAll);
      for (const { facts } of past ? batches : []) seen.add(facts.batchId);
    }
    if (!past) return;
    for await (const batches of walkBatches(this.desk, { tenant, index: 'past' }))
      batches.filter(({ facts }) => !seen.has(facts.batchId)).forEach(seeAll);
  }
}

/** Many tasks have the same readers: each group is judged once. */
const readableBy = (actor: Actor): ((card: Card) => boolean) => {
  const judged = new Map<string, boolean>();
  return ({ readers }) => {
    const may = judged.get(readers) ?? areReaders(JSON.parse(readers) as Readers, actor);
    judged.set(readers, may);
    return may;
  };
};

const nameOf = ({ tenant, past }: Pick<Reach, 'tenant' | 'past'>): string => JSON.stringify([tenant, past]);

const cardsOf = (policy: Policy, batch: Batch): readonly Card[] =>
  batch.tasks.map((task) => cardOf(batch, task, shownOn(policy, batch, task)));
