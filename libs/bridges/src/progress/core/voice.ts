/** The port of a chat's voice: it carries out one act at a time under a card, and says what was heard of it. */
import type { BridgeKind, DestinationOf } from '../../core/destination.js';
import type { Page } from './page.js';

/** Where a run is told: under the card of a task. */
export interface ProgressPlace<K extends BridgeKind = BridgeKind> {
  readonly destination: DestinationOf<K>;
  /** What the bridge keeps of the card. */
  readonly card: string;
  /** Names that whoever decided has there, for a stream that wants somebody to be for. */
  readonly deciders: readonly string[];
}

/** What was told of a page by a stream. */
export interface Streamed {
  /** Of its text, as far as it was sent. */
  readonly text: string;
  readonly steps: Page['steps'];
  /** Chunks so far. */
  readonly chunks: number;
}

export type Act =
  | { readonly kind: 'post'; readonly page: Page; readonly key: string }
  | { readonly kind: 'change'; readonly page: Page; readonly id: string; readonly key: string }
  | { readonly kind: 'begin'; readonly page: Page; readonly key: string }
  | { readonly kind: 'add'; readonly page: Page; readonly id: string; readonly before: Streamed }
  /** `before` undefined: nobody knows how far it came, and nothing is added. */
  | {
      readonly kind: 'end';
      readonly page: Page;
      readonly id: string;
      readonly before: Streamed | undefined;
      readonly key: string;
    }
  /** Whether something that may have arrived since is there; `known`: what else is. */
  | {
      readonly kind: 'find';
      readonly key: string;
      /** Unix milliseconds, by our clock. */
      readonly since: number;
      readonly known: readonly string[];
    };

export type ActKind = Act['kind'];

export type Heard =
  | { readonly kind: 'done'; readonly id?: string }
  /** Of a `find`. */
  | { readonly kind: 'absent' }
  /** Nothing was done; this place alone waits. */
  | { readonly kind: 'later'; readonly retryAfterMs: number }
  | { readonly kind: 'unsure'; readonly why: string }
  /** Nothing was done; it is tried again. */
  | { readonly kind: 'failed'; readonly why: string }
  /** It streams no more, or never does: the page is changed as a whole from now on. */
  | { readonly kind: 'no-stream'; readonly why: string }
  /** Somebody took the message away. */
  | { readonly kind: 'gone' }
  /** It never will be. */
  | { readonly kind: 'refused'; readonly why: string };

export interface VoiceTerms {
  readonly pageChars: number;
  /** The least time between two changes of one message. */
  readonly changeMs: number;
  /** The least time between two chunks of a stream. */
  readonly addMs: number;
  /** A stream that is older is ended, and its page changed as a whole from then on. */
  readonly streamMs: number;
  /** The chat can be asked what is there. Else no words are posted, but come by changes of what is known to be there. */
  readonly canLook: boolean;
}

export interface Voice<K extends BridgeKind = BridgeKind> {
  readonly kind: K;
  readonly terms: VoiceTerms;
  /** Whether a page can grow there as a stream. */
  streamsAt(place: ProgressPlace<K>): Promise<boolean>;
  /** Never rejects, and answers within the bridges' ATTEMPT_MS. */
  carryOut(act: Act, place: ProgressPlace<K>): Promise<Heard>;
}
