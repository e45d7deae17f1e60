/** The cards of one tenant, kept in memory: read once, and again wherever something was heard of. */
import type { Actor } from '@triptych/access';
import { openTasks, type Batch } from '../core/batch.js';
import { CardRacks } from '../core/card-racks.js';
import type { Card } from '../core/inbox-card.js';
import type { InboxTally } from '../core/inbox-tally.js';
import { MAX_PAST, walkBatches, type Line } from './card-walk.js';
import type { ReadingDesk } from './desk.js';
import { loadReadable } from './load-readable.js';

/** Batches read again at once: each may hold hundreds of tasks. */
const STEP = 50;
/** Batches heard of that nobody asked for since. */
export const MAX_UNREAD = 10_000;
/** About what a card takes beside its texts, bytes. */
export const CARD_BYTES = 1_200;

const bytesOf = (cards: readonly Card[]): number =>
  cards.reduce((sum, { texts }) => {
    const { operator, audience } = texts;
    return sum + CARD_BYTES + operator.length + (audience === operator ? 0 : audience.length);
  }, 0);

/** This tenant has more tasks than are kept in memory. */
export class BeyondMemory extends Error {}

export interface ShelfOptions {
  readonly tenant: string;
  readonly maxBytes: number;
  readonly cardsOf: (batch: Batch) => readonly Card[];
}

export class CardShelf {
  private readonly racks = new CardRacks();
  private readonly batches = new Map<string, readonly Card[]>();
  /** Those of them in which nothing is open. */
  private readonly over = new Set<string>();
  private readonly filled = new Map<Line['index'], Promise<void>>();
  /** Batches of which something was heard, and that were not read since. */
  private readonly unread = new Set<string>();
  /** For each line that is being filled, those heard of meanwhile: what was read for it may be older. */
  private readonly doubts = new Set<Set<string>>();
  private reading: Promise<void> = Promise.resolve();
  private held = 0;

  constructor(
    private readonly desk: ReadingDesk,
    private readonly options: ShelfOptions,
  ) {}

  get bytes(): number {
    return this.held;
  }

  /** False: it is less work to read all anew than what was heard of. */
  heard(batchId: string): boolean {
    this.unread.add(batchId);
    for (const doubted of this.doubts) doubted.add(batchId);
    return this.unread.size <= MAX_UNREAD;
  }

  /** Each line is read once, whoever asks meanwhile. */
  fill(index: Line['index']): Promise<void> {
    const begun = this.filled.get(index);
    if (begun) return begun;
    const filling = this.readLine(index).catch((error: unknown) => {
      this.filled.delete(index);
      throw error;
    });
    this.filled.set(index, filling);
    return filling;
  }

  has(index: Line['index']): boolean {
    return this.filled.has(index);
  }

  /** All that was heard until now is read before this returns. */
  fresh(): Promise<void> {
    const turn = this.reading.then(() => this.readUnread());
    this.reading = turn.catch(() => undefined);
    return turn;
  }

  visit(actor: Actor, past: boolean, see: (card: Card) => void): void {
    this.racks.visit(actor, past, see);
  }

  tally(past: boolean, now: number): InboxTally {
    return this.racks.tally(past, now);
  }

  private async readLine(index: Line['index']): Promise<void> {
    const doubted = new Set<string>();
    this.doubts.add(doubted);
    try {
      for await (const batches of walkBatches(this.desk, { tenant: this.options.tenant, index })) {
        this.putNew(batches);
        if (!this.filled.has(index)) throw new BeyondMemory(this.options.tenant);
      }
    } finally {
      this.doubts.delete(doubted);
      for (const batchId of doubted) this.unread.add(batchId);
    }
  }

  private async readUnread(): Promise<void> {
    const ids = [...this.unread];
    for (let at = 0; at < ids.length; at += STEP) await this.readAgain(ids.slice(at, at + STEP));
  }

  /** What is heard of a batch while it is read makes it unread once more. */
  private async readAgain(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.unread.delete(id);
    try {
      const { loaded } = await loadReadable(this.desk, ids);
      for (const id of ids) this.remove(id);
      for (const { batch } of loaded) this.put(batch);
    } catch (error) {
      for (const id of ids) this.unread.add(id);
      throw error;
    }
  }

  private putNew(batches: readonly Batch[]): void {
    for (const batch of batches) if (!this.batches.has(batch.facts.batchId)) this.put(batch);
  }

  private put(batch: Batch): void {
    const { batchId } = batch.facts;
    const isOver = openTasks(batch).length === 0;
    if (isOver && !this.filled.has('past')) return;
    const cards = this.options.cardsOf(batch);
    this.batches.set(batchId, cards);
    if (isOver) this.over.add(batchId);
    this.racks.add(cards);
    this.held += bytesOf(cards);
    if (this.over.size > 2 * MAX_PAST || this.held > this.options.maxBytes) this.forgetPast();
    if (this.held > this.options.maxBytes) throw new BeyondMemory(this.options.tenant);
  }

  /** Whoever asks for it fills it again. */
  private forgetPast(): void {
    this.filled.delete('past');
    for (const batchId of [...this.over]) this.remove(batchId);
  }

  private remove(batchId: string): void {
    const cards = this.batches.get(batchId) ?? [];
    this.batches.delete(batchId);
    this.over.delete(batchId);
    this.racks.delete(cards);
    this.held -= bytesOf(cards);
  }
}
