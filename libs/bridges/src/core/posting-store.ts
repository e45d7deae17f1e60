/** The port of what is shown where: what is to be looked at, postings, lanes, and what could not be delivered. */
import type { Posting } from './posting.js';

/** An entry as long as it is ours to look after. */
export interface TakenEntry {
  readonly member: string;
  /** By which the store tells whether it was watched anew meanwhile. */
  readonly mark: string;
}

/** Whether a lane is ours to work through. `held`: its destination wants to be left alone for so long. */
export type Lead = { readonly kind: 'ours' | 'taken' } | { readonly kind: 'held'; readonly forMs: number };

/** What is left of a lane that was let go; `due`: there is something to do at once, and it is ours still. */
export type Left = 'due' | { readonly nextAt: number | undefined };

export interface DeadLetter {
  /** Of the task at the destination. */
  readonly id: string;
  readonly tenant: string;
  readonly taskId: string;
  readonly threadId: string;
  readonly destination: string;
  readonly kind: string;
  readonly why: string;
  readonly attempts: number;
  /** When it was given up; Unix milliseconds. */
  readonly at: number;
}

export interface LetterPlace {
  readonly at: number;
  readonly id: string;
}

/** A task at a destination. */
export interface PostingName {
  readonly taskId: string;
  readonly destination: string;
}

export interface PostingStore {
  /** The store's own clock; Unix milliseconds. */
  now(): Promise<number>;

  /** Batches that changed or are about to, earliest first; whoever took one and died lets it go to the next. */
  takeBatches(limit: number): Promise<readonly TakenEntry[]>;
  settleBatch(taken: TakenEntry, again: number | undefined): Promise<void>;

  /** In the order asked; what was never posted is a new posting. All tasks are of one thread. */
  postings(names: readonly PostingName[]): Promise<readonly Posting[]>;
  keep(name: PostingName, posting: Posting): Promise<void>;

  /** The task wants to be shown at this time at the latest. */
  enter(name: PostingName, at: number): Promise<void>;
  /** Of these destinations, those where something is due and nobody is at work. */
  waiting(destinations: readonly string[], now: number): Promise<readonly string[]>;
  /** Each lane is worked through by one worker at a time, who asks again before each step. */
  lead(destination: string, worker: string): Promise<Lead>;
  takeNext(destination: string): Promise<TakenEntry | undefined>;
  settleNext(destination: string, taken: TakenEntry, again: number | undefined): Promise<void>;
  /** The destination is left alone for so long, by everybody. */
  hold(destination: string, forMs: number): Promise<void>;
  leave(destination: string, worker: string): Promise<Left>;

  /** Destinations at which something was refused lately, and why. */
  ill(): Promise<ReadonlyMap<string, string>>;
  setHealth(destination: string, why: string | undefined, lasting?: 'gone'): Promise<void>;
  /** Why nothing is shown there until its health is set anew. */
  gone(destination: string): Promise<string | undefined>;

  /** The oldest go where there are too many. */
  bury(letter: DeadLetter): Promise<void>;
  letter(tenant: string, id: string): Promise<DeadLetter | undefined>;
  /** Newest first. */
  letters(
    tenant: string,
    page: { readonly after?: LetterPlace; readonly limit: number },
  ): Promise<readonly DeadLetter[]>;
  unbury(letter: DeadLetter): Promise<void>;
}
