/** What those who tell destinations work with. */
import type { Bridge } from '../core/bridge.js';
import type { Bridges } from '../core/bridges.js';
import type { BridgeKind } from '../core/destination.js';
import type { NoticedBatch, TaskSource } from '../core/notice-task.js';
import type { Unmet } from '../core/needs.js';
import type { NotifyKnocks } from '../core/notify-knocks.js';
import type { People } from '../core/people.js';
import type { PostingStore } from '../core/posting-store.js';

export interface NotifyDesk {
  readonly store: PostingStore;
  readonly tasks: TaskSource;
  readonly bridges: Bridges;
  readonly people: People;
  /** The bridges that this deployment has. */
  readonly speak: ReadonlyMap<BridgeKind, Bridge>;
  /** Where nothing can be shown, and what is missing for it. */
  readonly unmet: Unmet;
  readonly knocks: NotifyKnocks;
  /** Whoever has runs told under their cards. */
  readonly progress?: { look(batch: NoticedBatch): Promise<void> } | undefined;
  /** Where a person opens a task. */
  readonly linkTo: (taskId: string) => string;
  /** Fresh chance, in [0, 1). */
  readonly chance: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  /** Names this worker among all. */
  readonly worker: string;
  readonly report: (event: string, fields: Readonly<Record<string, unknown>>) => void;
}
