/** What the telling of runs needs of its neighbours: where it stands, and the runs themselves as reviewers see them. */
import type { AguiEvent } from '@triptych/protocol';
import type { PostingName, TakenEntry } from '../../core/posting-store.js';
import type { ProgressRecord } from './progress-record.js';

export interface ProgressStore {
  /** The store's own clock; Unix milliseconds. */
  now(): Promise<number>;
  /** A run is to be told there, from this time on. */
  enter(name: PostingName, at: number): Promise<void>;
  /** Earliest first; whoever took one and died lets it go to the next. */
  takeDue(limit: number): Promise<readonly (TakenEntry & { readonly name: PostingName })[]>;
  settle(taken: TakenEntry, again: number | undefined): Promise<void>;
  /** One worker at a time tells a run under a card, and asks again before each step. */
  lead(name: PostingName, worker: string): Promise<boolean>;
  leave(name: PostingName, worker: string): Promise<void>;
  load(name: PostingName): Promise<ProgressRecord | undefined>;
  /** False: another tells it by now, and nothing was kept. */
  keep(name: PostingName, worker: string, record: ProgressRecord): Promise<boolean>;
}

/** Hears what reviewers are shown of a thread, in order, each event once. */
export interface RunListener {
  /** Of before the run. */
  before(events: readonly AguiEvent[]): void;
  after(events: readonly AguiEvent[]): void;
  /** What was heard is void: the log lost history, or another policy is in force. */
  lost(): void;
}

export interface RunsToTell {
  /**
   * Everything stored is told before it resolves. 'none': there is no such run, or not yet; 'trimmed': it is over, and
   * not kept any more.
   */
  follow(
    run: { readonly threadId: string; readonly runId: string },
    listener: RunListener,
  ): Promise<{ stop(): void } | 'none' | 'trimmed'>;
}
