/** The port of the ledger of tasks: load, and replace if nothing came between. */
import type { TrailNote } from '@triptych/protocol';
import type { Batch, BatchFacts, BatchStatus } from './batch.js';
import type { Cause } from './cause.js';
import type { Change } from './change.js';
import type { Guard, Rider } from './rider.js';

export interface Loaded {
  /** The store's own clock at the moment of reading; Unix milliseconds. */
  readonly now: number;
  readonly batch: Batch;
}

/** `changed`: judge again. `late`: the deadline passed while it was judged. */
export type Replaced = 'replaced' | 'changed' | 'late';

/** What is held of this batch is not what was written: nothing can be done with it until somebody mends it. */
export class UnreadableBatch extends Error {
  override readonly name = 'UnreadableBatch';
  constructor(
    readonly batchId: string,
    options?: ErrorOptions,
  ) {
    super(`Batch ${batchId} cannot be read.`, options);
  }
}

export interface LoadedAll {
  readonly loaded: readonly Loaded[];
  readonly damaged: readonly UnreadableBatch[];
}

/** An entry of the due index as long as it is ours to look after. */
export interface Taken {
  readonly batchId: string;
  readonly openedAt: number;
  /** By which the store tells whether it was watched anew meanwhile. */
  readonly mark: string;
}

/** Where a page of an index goes on: after this score and member, newest first. */
export interface IndexPlace {
  readonly score: number;
  readonly member: string;
}

export interface ApprovalStore {
  /** The part of a thread's ids that leads to its keys. */
  tagOf(threadId: string): string;
  now(): Promise<number>;
  /** Throws `UnreadableBatch`. */
  load(batchId: string): Promise<Loaded | undefined>;
  /** In the order asked; what is not there, or cannot be read, is left out. */
  loadMany(batchIds: readonly string[]): Promise<readonly Loaded[]>;
  /** The same, and those of them that are there and cannot be read. */
  loadAll(batchIds: readonly string[]): Promise<LoadedAll>;
  /** Also of a batch of which the rest cannot be read; undefined: not even they can. */
  factsOf(batchId: string): Promise<BatchFacts | undefined>;
  /** With the records that it leaves, for which {@link expectRecord} has been awaited. */
  replace(batch: Batch, change: Change, cause: Cause): Promise<Replaced>;

  /** The batch that holds the thread; undefined: none does. */
  heldBy(threadId: string): Promise<string | undefined>;
  /** All that is kept of a thread's batches in its slot. */
  keysOf(threadId: string): Promise<readonly string[]>;
  /** Batches of a thread, newest first, with the time each was opened. */
  batchesOf(
    threadId: string,
    limit: number,
  ): Promise<readonly { readonly batchId: string; readonly openedAt: number }[]>;

  /** Index entries come before what they point at: one that leads nowhere is harmless, a task nobody finds is not. */
  announce(batch: Batch): Promise<void>;
  /** The thread is about to have a record, so that the sealer looks there; `now` by the store's clock. {@link announce} says it too. */
  expectRecord(batch: Batch, now: number): Promise<void>;
  /** The batch wants attention at this time at the latest; an earlier time stands. */
  watch(batch: Batch, at: number): Promise<void>;
  /** Batches whose time has come, earliest first; whoever took one and died lets it go to the next. */
  takeDue(limit: number): Promise<readonly Taken[]>;
  /** What was taken is looked at again then, or never (undefined), unless it was watched anew meanwhile. */
  settle(taken: Taken, again: number | undefined): Promise<void>;

  /** The batch waits for a person, or is about to: a listing looks at the batch itself. */
  flag(facts: BatchFacts): Promise<void>;
  unflag(facts: BatchFacts): Promise<void>;
  /** Batch ids of a tenant that were flagged, newest first. */
  flagged(
    tenant: string,
    page: { readonly after?: IndexPlace; readonly limit: number },
  ): Promise<readonly IndexPlace[]>;

  /** Task ids of a tenant, newest first: those open, or those that were. */
  tasksOf(
    tenant: string,
    page: { readonly index: 'open' | 'past'; readonly after?: IndexPlace; readonly limit: number },
  ): Promise<readonly IndexPlace[]>;
  /** A task that is open no longer moves to the other index. */
  retire(batch: Batch, taskIds: readonly string[]): Promise<void>;
  /** Drops entries whose task never came. */
  forget(tenant: string, taskIds: readonly string[]): Promise<void>;

  openingRiders(batch: Batch): readonly Rider[];
  /** The same change as `replace` would make, for a step of somebody else. */
  changeRiders(
    batch: Batch,
    change: Change,
    cause: Cause,
  ): { readonly guards: readonly Guard[]; readonly riders: readonly Rider[] };
  /** Puts the status without comparing: the run's lease guards the step it rides on. */
  statusRiders(batch: Batch, status: BatchStatus, cause: Cause): readonly Rider[];
  /** What no change tells of; {@link expectRecord} goes before it. */
  recordRiders(batch: Batch, notes: readonly TrailNote[]): readonly Rider[];
  /** The run that asked has failed after all. */
  failedLateRiders(batch: Batch, at: number): readonly Rider[];
  /** The batch holds its thread no longer. */
  releasedRider(batch: Batch): Rider;
  /** The same by itself, for a batch that ended without a run; whoever follows the thread is told. */
  release(batch: Batch): Promise<void>;
}
