/** Messages written but not yet part of the conversation: kept, sent once, dropped when they show up. */
import type { Refusal } from '@triptych/protocol';

export type Unsent =
  | { readonly id: string; readonly text: string; readonly state: 'kept' | 'sending' }
  | { readonly id: string; readonly text: string; readonly state: 'refused'; readonly refusal: Refusal };

export type Outbox = readonly Unsent[];

export const write = (outbox: Outbox, id: string, text: string): Outbox => [
  ...outbox,
  { id, text, state: 'kept' },
];

/** What may go out now: the oldest kept one, and only when nothing before it is on its way. */
export const nextToSend = (outbox: Outbox, free: boolean): Unsent | undefined => {
  if (!free || outbox.some((message) => message.state === 'sending')) return undefined;
  return outbox.find((message) => message.state === 'kept');
};

export const sending = (outbox: Outbox, id: string): Outbox =>
  outbox.map((message) => (message.id === id ? { id, text: message.text, state: 'sending' } : message));

/** Refused for good waits for the person; refused for now stays kept. */
export const refused = (outbox: Outbox, id: string, refusal: Refusal): Outbox =>
  outbox.map((message) =>
    message.id === id ? { id, text: message.text, state: 'refused', refusal } : message,
  );

export const retried = (outbox: Outbox, id: string): Outbox =>
  outbox.map((message) => (message.id === id ? { id, text: message.text, state: 'kept' } : message));

export const removed = (outbox: Outbox, id: string): Outbox => outbox.filter((message) => message.id !== id);

/** What the conversation now shows is no longer ours to show. */
export const arrived = (outbox: Outbox, shown: ReadonlySet<string>): Outbox =>
  outbox.some((message) => shown.has(message.id))
    ? outbox.filter((message) => !shown.has(message.id))
    : outbox;

/** A reload in the middle of sending does not know the outcome; the same id makes another try harmless. */
export const restored = (stored: unknown): Outbox => {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((entry: Partial<Unsent> | null) =>
    typeof entry?.id === 'string' && typeof entry.text === 'string'
      ? [{ id: entry.id, text: entry.text, state: 'kept' as const }]
      : [],
  );
};
