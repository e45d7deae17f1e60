/** What an agent that comes by itself brings: its events in order, and its place among those of its producer. */
import type { ThreadId } from '@triptych/protocol';
import type { PushAgent } from './ports.js';

export interface PushProducer {
  readonly id: string;
  /** Grows when the producer begins anew; the older one is then fenced. */
  readonly epoch: number;
  /** Of the first event, counted from 0 in each epoch. */
  readonly seq: number;
}

/** Whose place stands for that of all sources of a thread that give positions; no producer's id is unprintable. */
export const POSITIONS = '\tpositions';

export interface PushItem {
  /** One event as its producer wrote it. */
  readonly text: string;
  readonly type: string;
  /** As the event names it. */
  readonly runId?: string;
  /** Its place among the events of all sources of the thread, from 1. */
  readonly position?: number;
}

export interface PushRequest {
  readonly thread: ThreadId;
  readonly agent: PushAgent;
  readonly tenant: string;
  readonly subject: string;
  readonly producer: PushProducer;
  readonly items: readonly PushItem[];
  /** JSON Pointer to the list of events, for what is told of one of them. */
  readonly at: string;
  /** The agent's socket, if it came by one: as long as it is open the run counts as worked on. */
  readonly socket?: string;
}

export interface PushAnswer {
  readonly accepted: number;
  readonly duplicates: number;
  readonly buffered: number;
  /** `<epoch>:<seq>` of the log. */
  readonly pos: string;
  /** Counted and kept for the operator, not stored; absent when there are none. */
  readonly refused?: number;
}

/** What is kept of a producer. */
export interface KnownProducer {
  readonly epoch: number;
  /** The last event taken. */
  readonly last: number;
  /** The run it worked for last; '' for none. */
  readonly run: string;
  /** When it spoke last, Unix milliseconds. */
  readonly at: number;
}

export type PushPlace =
  | { readonly status: 'fenced'; readonly epoch: number }
  | { readonly status: 'gap'; readonly expected: number }
  /** So many at the beginning were taken before. */
  | { readonly status: 'fits'; readonly known: number };

export const placeOf = (
  known: KnownProducer | undefined,
  { epoch, seq }: PushProducer,
  count: number,
): PushPlace => {
  if (known && epoch < known.epoch) return { status: 'fenced', epoch: known.epoch };
  const expected = known?.epoch === epoch ? known.last + 1 : 0;
  if (seq > expected) return { status: 'gap', expected };
  return { status: 'fits', known: Math.min(count, expected - seq) };
};
