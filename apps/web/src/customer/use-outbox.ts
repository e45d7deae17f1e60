/** Sends what the customer wrote: once, in order, when the conversation is free; keeps it until then. */
import type { Refusal } from '@triptych/protocol';
import { useEffect, useRef, useState } from 'react';
import { readStored, writeStored } from '../shared/stored.js';
import { useSurface } from '../shared/surface-context.js';
import { useConnection } from '../shared/use-connection.js';
import {
  agentFor,
  arrived,
  keptFrom,
  nextToSend,
  refused,
  removed,
  retried,
  sentTo,
  write,
  type Kept,
  type Outbox,
} from './core/outbox.js';

/** These pass by themselves; everything else is for the person to decide. */
const PASSING: ReadonlySet<Refusal['code']> = new Set([
  'STORE_UNAVAILABLE',
  'DRAINING',
  'THREAD_BUSY',
  'RESUME_REQUIRED',
]);
const TRY_AGAIN_MS = 2_000;

const keyOf = (threadId: string): string => `triptych.outbox.${threadId}`;

/** A new conversation begins as a kept message; opening it sends it, as soon as it is known to whom. */
export const beginConversation = (agentId: string | undefined, text: string): string => {
  const threadId = crypto.randomUUID();
  const begins = agentId === undefined ? {} : { agentId };
  writeStored(keyOf(threadId), { begins, messages: write([], crypto.randomUUID(), text) } satisfies Kept);
  return threadId;
};

export interface OutboxTools {
  readonly outbox: Outbox;
  /** The hub knows the thread: it was opened before, or our first message was taken. */
  readonly exists: boolean;
  readonly send: (text: string) => void;
  readonly retry: (id: string) => void;
  readonly remove: (id: string) => void;
}

interface Place {
  readonly threadId: string;
  readonly agentId: string | undefined;
  readonly defaultAgent: string | undefined;
  /** Nothing is running and nothing waits for an answer. */
  readonly free: boolean;
  readonly shown: ReadonlySet<string>;
}

export const useOutbox = ({ threadId, agentId, defaultAgent, free, shown }: Place): OutboxTools => {
  const { client } = useSurface();
  const ready = useConnection(client).state === 'ready';
  const [stored, setStored] = useState<Kept>(() => keptFrom(readStored(keyOf(threadId))));
  const [notBefore, setNotBefore] = useState(0);
  const on = useRef(new Set<string>());
  const change = (step: (outbox: Outbox) => Outbox) =>
    setStored((old) => ({ ...old, messages: step(old.messages) }));

  useEffect(() => {
    const empty = stored.messages.length === 0 && stored.begins === undefined;
    writeStored(keyOf(threadId), empty ? undefined : stored);
  }, [threadId, stored]);
  useEffect(() => change((outbox) => arrived(outbox, shown)), [shown]);
  useEffect(() => {
    const wait = notBefore - Date.now();
    if (wait <= 0) return undefined;
    const timer = setTimeout(() => setNotBefore(0), wait);
    return () => clearTimeout(timer);
  }, [notBefore]);

  const exists = stored.begins === undefined;
  const agent = agentFor(stored, { own: agentId, byDefault: defaultAgent });
  const next = nextToSend(
    stored.messages,
    ready && notBefore === 0 && (free || !exists) && agent !== undefined,
  );
  useEffect(() => {
    if (next === undefined || agent === undefined || on.current.has(next.id)) return;
    on.current.add(next.id);
    setStored((old) => sentTo(old, next.id, agent));
    const messages = [{ id: next.id, role: 'user' as const, content: next.text }];
    void client.run({ agentId: agent, threadId, runId: next.id, messages }).then((answer) => {
      on.current.delete(next.id);
      if (answer.ok) return setStored(({ messages: kept }) => ({ messages: kept }));
      if (!PASSING.has(answer.refusal.code))
        return change((outbox) => refused(outbox, next.id, answer.refusal));
      change((outbox) => retried(outbox, next.id));
      setNotBefore(Date.now() + (answer.refusal.retryAfterMs ?? TRY_AGAIN_MS));
    });
  }, [client, threadId, agent, next]);

  return {
    outbox: stored.messages,
    exists,
    send: (text) => change((outbox) => write(outbox, crypto.randomUUID(), text)),
    retry: (id) => change((outbox) => retried(outbox, id)),
    remove: (id) => change((outbox) => removed(outbox, id)),
  };
};
