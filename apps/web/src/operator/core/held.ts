/** Reads a snapshot as what its surface holds. */
import type { AguiEvent } from '@triptych/protocol';
import { textOf } from '../../shared/plain-text.js';

export interface HeldMessage {
  readonly id: string;
  readonly role: string;
  readonly text: string;
  /** Names of the tools it calls. */
  readonly calls: readonly string[];
}

export interface Held {
  /** Undefined: there is none. */
  readonly state: unknown;
  readonly messages: readonly HeldMessage[];
}

interface RawMessage {
  readonly id?: unknown;
  readonly role?: unknown;
  readonly content?: unknown;
  readonly activityType?: unknown;
  readonly toolCalls?: readonly { readonly function?: { readonly name?: unknown } }[];
}

const named = (value: unknown): string => (typeof value === 'string' ? value : '');

const messageOf = (raw: RawMessage, index: number): HeldMessage => ({
  id: typeof raw.id === 'string' ? raw.id : String(index),
  role: named(raw.role) || named(raw.activityType),
  text:
    typeof raw.content === 'object' && !Array.isArray(raw.content)
      ? JSON.stringify(raw.content)
      : textOf(raw.content, '…'),
  calls: (raw.toolCalls ?? []).map((call) => named(call.function?.name)),
});

export const heldIn = (events: readonly AguiEvent[]): Held => {
  const state = events.findLast(({ type }) => type === 'STATE_SNAPSHOT')?.snapshot;
  const said = events.findLast(({ type }) => type === 'MESSAGES_SNAPSHOT')?.messages;
  return { state, messages: Array.isArray(said) ? (said as readonly RawMessage[]).map(messageOf) : [] };
};
