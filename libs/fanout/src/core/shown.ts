/** One event as a surface was shown it, ready to be written. */
import type { SeenBy, Source } from '@triptych/protocol';
import type { Place } from './place.js';

export interface Shown extends Place {
  readonly type: string;
  /** The stored text when the event is shown unchanged, so that nothing in it is lost on the way. */
  readonly json: string;
  readonly at: number;
  readonly source: Source;
  /** What the other surfaces got of it; on the operator's stream only. */
  readonly seen?: SeenBy;
  /** Clients cannot fold this event to the right end; whoever passes it is given a snapshot. */
  readonly resets?: true;
}

/** Text counts as its length: near enough for bounds, and free. */
export const sizeOf = (shown: readonly Shown[]): number =>
  shown.reduce((sum, one) => sum + one.json.length, 0);
