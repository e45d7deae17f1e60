/** What those who tell of runs work with. */
import type { Bridges } from '../../core/bridges.js';
import type { BridgeKind } from '../../core/destination.js';
import type { TaskSource } from '../../core/notice-task.js';
import type { People } from '../../core/people.js';
import type { PostingStore } from '../../core/posting-store.js';
import type { ProgressStore, RunsToTell } from '../core/ports.js';
import type { Voice } from '../core/voice.js';

export interface ProgressDesk {
  readonly store: ProgressStore;
  readonly cards: Pick<PostingStore, 'postings'>;
  readonly tasks: TaskSource;
  readonly runs: RunsToTell;
  readonly bridges: Bridges;
  readonly people: People;
  /** Of the chats that this deployment has. */
  readonly voices: ReadonlyMap<BridgeKind, Voice>;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  /** Names this worker among all. */
  readonly worker: string;
  readonly report: (event: string, fields: Readonly<Record<string, unknown>>) => void;
}
