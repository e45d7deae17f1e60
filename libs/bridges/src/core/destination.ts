/** The places where tasks are shown: a channel, a chat, an endpoint, an address. They come from `bridges.yaml`. */
import type { Shape } from '@triptych/access';

export const BRIDGE_KINDS = ['slack', 'teams', 'webhook', 'mail'] as const;
export type BridgeKind = (typeof BRIDGE_KINDS)[number];

interface Place {
  /** Unique in the file; it names the destination in routes, postings and dead letters. */
  readonly id: string;
  readonly tenant: string;
  /** What of a tool's arguments is shown there, of what reviewers are shown. */
  readonly args: Shape;
}

export interface SlackDestination extends Place {
  readonly kind: 'slack';
  /** A channel, or a person's direct messages. */
  readonly address: string;
}

export interface TeamsDestination extends Place {
  readonly kind: 'teams';
  /** The id of a conversation. */
  readonly address: string;
  /** Where the connector of that conversation is. */
  readonly serviceUrl: string;
  /** A Workflows webhook takes cards and gives nothing back: it is told, and nobody decides there. */
  readonly mode: 'bot' | 'workflow';
}

export interface WebhookDestination extends Place {
  readonly kind: 'webhook';
  /** A URL. */
  readonly address: string;
  /** `whsec_…` signs with HMAC, `whsk_…` with Ed25519; several while they are rotated. */
  readonly secrets: readonly string[];
  /** `thin`: ids only. */
  readonly payload: 'thin' | 'full';
}

export interface MailDestination extends Place {
  readonly kind: 'mail';
  readonly address: string;
}

interface ByKind {
  readonly slack: SlackDestination;
  readonly teams: TeamsDestination;
  readonly webhook: WebhookDestination;
  readonly mail: MailDestination;
}

export type DestinationOf<K extends BridgeKind> = ByKind[K];
export type Destination = DestinationOf<BridgeKind>;
