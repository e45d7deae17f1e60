/** Keeps what cannot be dealt with out of the others' way: told once, shown to operators, tried again ever less often. */
import { isStoreAway } from '@triptych/protocol';
import type { Taken } from '../core/approval-store.js';
import type { Desk } from './desk.js';

/** How soon it is tried again, at first and at the most. Milliseconds. */
const FIRST_TRY_MS = 1_000;
const LAST_TRY_MS = 600_000;
/** Batches of which it is remembered that they were told; beyond that the oldest are told again. */
const MAX_TOLD = 10_000;

export class SetAside {
  /** How often each was tried. */
  private readonly tried = new Map<string, number>();

  constructor(private readonly desk: Desk) {}

  async put(taken: Taken, error: unknown): Promise<void> {
    // Nothing is wrong with the batch; the round ends, and the next one finds it again.
    if (isStoreAway(error)) throw error;
    const { batchId } = taken;
    const tries = this.tried.get(batchId) ?? 0;
    this.remember(batchId, tries + 1);
    if (tries === 0) this.desk.report('approvals.batch-set-aside', { batchId, error: String(error) });
    const facts = await this.desk.store.factsOf(batchId);
    if (facts) await this.desk.store.flag(facts);
    const wait = Math.min(LAST_TRY_MS, FIRST_TRY_MS * 2 ** tries);
    await this.desk.store.settle(taken, (await this.desk.store.now()) + wait);
  }

  goesAgain({ batchId }: Taken): void {
    this.tried.delete(batchId);
  }

  private remember(batchId: string, tries: number): void {
    this.tried.delete(batchId);
    this.tried.set(batchId, tries);
    const [oldest] = this.tried.keys();
    if (this.tried.size > MAX_TOLD && oldest !== undefined) this.tried.delete(oldest);
  }
}
