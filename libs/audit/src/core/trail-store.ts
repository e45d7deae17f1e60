/** The port to what waits to be sealed and what is: one writer a tenant, fenced, and a step is taken whole or not at all. */
import type { SubjectKey } from './box.js';
import type { Head, Link } from './chain.js';
import type { Checkpoint } from './checkpoint.js';
import type { Waiting } from './sealed-record.js';

/** Where a tenant's trail stands. */
export interface Standing extends Head {
  readonly last?: Checkpoint;
  /** The store's clock; Unix milliseconds. */
  readonly now: number;
}

export interface Found {
  readonly standing: Standing;
  /** In the order of their times, and of each source from its first unsealed one. */
  readonly waiting: readonly Waiting[];
  /** Among them, in streams of threads: what names another tenant, who was told where it waits. */
  readonly foreign: readonly Waiting[];
}

export interface Look {
  readonly limit: number;
  /** Only threads that announced a record lately: most of them have one, and the others none. */
  readonly recent: boolean;
}

export interface Sealing {
  readonly after: Head;
  readonly links: readonly Link[];
  /** What the links were made of, in the same order. */
  readonly waiting: readonly Waiting[];
  /** What was found between them and is another's: it stays, and is not looked at again. */
  readonly passed: readonly Waiting[];
  /** Keys they are locked with: one that was dropped meanwhile must not lock away what nobody then can read. */
  readonly keys: readonly string[];
}

/** `moved`: another sealed meanwhile, or dropped a key; look again. `fenced`: another is the writer now. */
export type Sealed = 'sealed' | 'moved' | 'fenced';

export interface Vouching {
  readonly after: Checkpoint | undefined;
  readonly next: Checkpoint;
}

export interface TrailStore {
  tenants(): AsyncIterable<string>;
  /** Whether `writer` is the tenant's writer now; it is so for as long as it keeps coming back. */
  lead(tenant: string, writer: string): Promise<boolean>;
  find(tenant: string, look: Look): Promise<Found>;
  seal(tenant: string, writer: string, sealing: Sealing): Promise<Sealed>;
  /** Lets go of what is sealed and still there, and of threads that have been quiet for long. */
  tidy(tenant: string): Promise<void>;
  /** The key of a subject, made when there is none. */
  keysOf(tenant: string, subjects: readonly string[]): Promise<ReadonlyMap<string, SubjectKey>>;
  /** Keeps a checkpoint behind the one that `standing` names. False: there is another by now, or another is the writer. */
  vouch(tenant: string, writer: string, step: Vouching): Promise<boolean>;
  /** Lines of checkpoints from the nth on, oldest first. */
  checkpoints(tenant: string, from: number, limit: number): Promise<readonly string[]>;
}
