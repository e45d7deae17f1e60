/** One stored AG-UI event with its place in the thread's log. */
import type { AguiEvent } from './agui.js';

/** Who wrote the event: the agent, or the hub itself. */
export type Source = 'agent' | 'hub';

export interface LogEntry {
  /** Dense from 1 within the thread, assigned once. */
  readonly seq: number;
  /** When it was stored, by the store's clock; Unix milliseconds. */
  readonly at: number;
  readonly source: Source;
  readonly event: AguiEvent;
  /** The event's JSON text as stored; what an unchanged event is sent as, byte for byte. */
  readonly json: string;
  /** The producer's own text where the hub stored another (`RUN_STARTED.input`). */
  readonly raw?: string;
}

/** The three views of a log. */
export const SURFACES = ['customer', 'reviewer', 'operator'] as const;
export type Surface = (typeof SURFACES)[number];

/** What a surface got of one event. */
export type Seen = 'full' | 'redacted' | 'hidden';
export type SeenBy = Readonly<Record<Exclude<Surface, 'operator'>, Seen>>;
