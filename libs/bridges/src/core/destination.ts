/** The places where tasks are shown: a channel, a chat, an endpoint, an address. They come from `bridges.yaml`. */
import type { Shape } from '@triptych/access';
import type { z } from 'zod';
import type { KINDS } from './kinds.js';

export type BridgeKind = keyof typeof KINDS;
export type FieldsOf<K extends BridgeKind> = Readonly<z.infer<z.ZodObject<(typeof KINDS)[K]['fields']>>>;

interface Place {
  /** Unique in the file; it names the destination in routes, postings and dead letters. */
  readonly id: string;
  readonly tenant: string;
  /** What of a tool's arguments is shown there, of what reviewers are shown. */
  readonly args: Shape;
}

export type DestinationOf<K extends BridgeKind> = {
  [Each in K]: Place & { readonly kind: Each } & FieldsOf<Each>;
}[K];
export type Destination = DestinationOf<BridgeKind>;
export type SlackDestination = DestinationOf<'slack'>;
export type TeamsDestination = DestinationOf<'teams'>;
