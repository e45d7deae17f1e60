/** Messages written but not yet part of the conversation: kept, sent once, dropped when they show up. */
import type { Refusal } from '@triptych/protocol';

export type Unsent =
  | { readonly id: string; readonly text: string; readonly state: 'kept' | 'sending' }
  | { readonly id: string; readonly text: string; readonly state: 'refused'; readonly refusal: Refusal };

export type Outbox = readonly Unsent[];

/** What one conversation keeps on this device. */
export interface Kept {
  /** The hub does not know the conversation yet; without an agent named it goes to the default one. */
  readonly begins?: { readonly agentId?: string };
  readonly messages: Outbox;
}

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

export const keptFrom = (stored: unknown): Kept => {
  const { begins, messages } = (stored ?? {}) as {
    begins?: { agentId?: unknown } | null;
    messages?: unknown;
  };
  const kept = { messages: restored(messages) };
  if (typeof begins !== 'object' || begins === null) return kept;
  return { ...kept, begins: typeof begins.agentId === 'string' ? { agentId: begins.agentId } : {} };
};

interface Agents {
  /** Of a conversation the hub knows. */
  readonly own: string | undefined;
  /** Of one that begins without a choice. */
  readonly byDefault: string | undefined;
}

export const agentFor = ({ begins }: Kept, { own, byDefault }: Agents): string | undefined =>
  begins === undefined ? own : (begins.agentId ?? byDefault);

/** Once it was tried with an agent it stays with that one: a repeat under the same id must be the same request. */
export const sentTo = (kept: Kept, id: string, agentId: string): Kept => ({
  ...(kept.begins === undefined ? {} : { begins: { agentId } }),
  messages: sending(kept.messages, id),
});

export type UnsentReason = 'sending' | 'next' | 'offline' | 'no-agent';

interface Circumstances {
  readonly connection: 'connecting' | 'ready' | 'waiting' | 'closed';
  /** An answer is being given. */
  readonly running: boolean;
  /** The conversation would begin now, but nobody is there to talk to. */
  readonly nobody: boolean;
}

/** Why a message is not part of the conversation yet; a first connection is part of sending, a lost one is not. */
export const unsentReason = (
  state: 'kept' | 'sending',
  { connection, running, nobody }: Circumstances,
): UnsentReason => {
  if (state === 'sending') return 'sending';
  if (connection === 'waiting' || connection === 'closed') return 'offline';
  if (nobody) return 'no-agent';
  return running ? 'next' : 'sending';
};
