/** What was recorded of one seed: what producers sent and were told, what readers saw, and what the log holds in the end. */
import type { AguiEvent, Surface } from '@triptych/protocol';

/** One thing that happened to a reader on one thread, in its order. */
export type Note =
  /** Until the answer, frames are of the former delivery and mean nothing. */
  | { readonly kind: 'asked' }
  | { readonly kind: 'answered'; readonly recovered?: 'replay' | 'snapshot'; readonly from?: string }
  | { readonly kind: 'snapshot'; readonly pos: string; readonly events: readonly AguiEvent[] }
  | {
      readonly kind: 'events';
      readonly prev: string;
      readonly pos: string;
      readonly events: readonly AguiEvent[];
      /** Operator only. */
      readonly seqs?: readonly number[];
    }
  | { readonly kind: 'head'; readonly pos: string }
  /** A client that folds by itself says what it has. */
  | { readonly kind: 'model'; readonly pos: string; readonly digest: string; readonly anew: boolean }
  | { readonly kind: 'lost' }
  | { readonly kind: 'leak'; readonly secret: string; readonly text: string };

export interface Book {
  readonly reader: string;
  readonly surface: Surface;
  readonly threadId: string;
  /** It came only when all was over: what it has is what everybody must have. */
  readonly cold?: boolean;
  readonly notes: readonly Note[];
}

export interface Acked {
  readonly mark: string;
  readonly at?: { readonly epoch: string; readonly seq: number };
}

/** What a producer sent for one run, in order, and whether the store said that it has it. */
export interface Sent {
  readonly threadId: string;
  readonly runId: string;
  readonly events: readonly AguiEvent[];
  /** What its producer was told is stored, and where, if it was told; empty for an agent, which is told nothing. */
  readonly acked: readonly Acked[];
  /** An agent is read until its run is over, and asked once. */
  readonly asked: number;
  /** Nothing of it may be missing in the end. */
  readonly complete: boolean;
}

export interface StoredEvent {
  readonly seq: number;
  readonly source: string;
  readonly event: AguiEvent;
  /** The producer's own, where the hub rewrote it. */
  readonly raw?: AguiEvent;
}

/** Where an operator ends: of what was lost at a log's end there is nothing to show, and its head lies beyond. */
export const lastPlaceOf = ({ epoch, entries }: FinalLog): string => `${epoch}:${entries.at(-1)?.seq ?? 0}`;

export interface FinalLog {
  readonly threadId: string;
  readonly epoch: string;
  readonly head: number;
  readonly entries: readonly StoredEvent[];
}

export interface History {
  readonly sent: readonly Sent[];
  readonly books: readonly Book[];
  readonly logs: readonly FinalLog[];
  /** The store may have lost what it acknowledged: a log may hold a void, or be another. */
  readonly lossy: boolean;
}

export type Invariant = 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I7';

export interface Violation {
  readonly invariant: Invariant;
  readonly what: string;
}
