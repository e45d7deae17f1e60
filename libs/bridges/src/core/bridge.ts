/** The port of a bridge: it shows one task at one destination, and says what came of it. */
import type { TaskView } from '@triptych/protocol';
import type { BridgeKind, DestinationOf } from './destination.js';
import type { Names } from './names.js';
import type { Schedule } from './retry.js';

/** What happened to the task since it was last shown there, the most telling of it. */
export type What =
  'created' | 'claimed' | 'changed' | 'escalated' | 'decided' | 'expired' | 'resumed' | 'failed';

/** What a destination is to show, read at the moment of delivery. */
export interface Notice<K extends BridgeKind = BridgeKind> {
  /** Of this task at this destination: the same for ever. */
  readonly noticeId: string;
  /** Of what is shown or told now: the same over all attempts at it, another once something else is. */
  readonly changeId: string;
  readonly destination: DestinationOf<K>;
  /** Already cut to what the destination may see: as reviewers are shown it, and `may` is empty. It has its history. */
  readonly task: TaskView;
  /** The names of the people in it, by subject, where they are known. */
  readonly names: Names;
  readonly what: What;
  /** Its rule lets it be decided in a chat. */
  readonly chat: boolean;
  /** Where a person opens it in the reviewer's console. */
  readonly link: string;
  /** What {@link Bridge.show} gave back when it was last shown there, such as channel and time of a message. */
  readonly posted?: string;
  /** An earlier attempt may have arrived though nobody knows: look for it before anything is posted anew. */
  readonly unsure: boolean;
}

export type Delivery =
  /** `posted`: what finds it again; at most {@link MAX_POSTED} characters. */
  | { readonly kind: 'shown'; readonly posted: string }
  /** Limited: nothing was done and no attempt is spent; this destination alone waits. */
  | { readonly kind: 'later'; readonly retryAfterMs: number }
  /** Nothing was done and no attempt is spent; this task alone waits, and others are shown there meanwhile. */
  | { readonly kind: 'waits'; readonly forMs: number }
  /** It was sent and nobody answered: it may be there. */
  | { readonly kind: 'unsure'; readonly why: string }
  /** It is not there; it is tried again by the schedule. */
  | { readonly kind: 'failed'; readonly why: string }
  /** It never will be: a dead letter, and the destination counts as ill until something is shown there again. */
  | { readonly kind: 'refused'; readonly why: string }
  /** Refused, and it wants nothing more: it is asked again only when an operator sends one of its dead letters again. */
  | { readonly kind: 'gone'; readonly why: string };

/** Characters kept of what finds a posting again. */
export const MAX_POSTED = 2_000;
/** Characters kept of why something failed. */
export const MAX_WHY = 300;
/** No attempt takes longer: whoever wants to wait longer answers `unsure`. */
export const ATTEMPT_MS = 20_000;

export interface Bridge<K extends BridgeKind = BridgeKind> {
  readonly kind: K;
  /** The least time between two sendings to one destination. */
  readonly gapMs: number;
  /** When what failed there is tried again. */
  readonly schedule: Schedule;
  /** Nothing there is ever put right, so all that happened is told, one thing after the other. */
  readonly tellsAll?: true;
  /** Never rejects, and answers within {@link ATTEMPT_MS}. What is shown twice is there once. */
  show(notice: Notice<K>): Promise<Delivery>;
}
