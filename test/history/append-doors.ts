/** The two doors for a producer that counts its events: the log itself, and a hub's door for agents that push. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RedisEventLog } from '@triptych/event-log';
import { asThreadId, isStoreAway, type AguiEvent } from '@triptych/protocol';
import type { Chance } from './chance.js';
import type { Gate } from './gate.js';
import type { Hub } from '../stand/hub.js';

export interface Append {
  readonly threadId: string;
  readonly producer: { readonly id: string; readonly epoch: number; readonly seq: number };
  readonly events: readonly AguiEvent[];
}

/** All of it is stored by now: the last `count` of it just now, the others before. */
interface Stored {
  readonly is: 'stored';
  readonly count: number;
  /** Where the first of them is, if that was told. */
  readonly first?: { readonly epoch: string; readonly seq: number };
}

export type Taken =
  Stored | { readonly is: 'gap'; readonly expected: number } | { readonly is: 'fenced' | 'refused' };

/** Asks until it is told what became of it. */
export type AppendDoor = (append: Append) => Promise<Taken>;

const AGAIN_MS = 100;

/** True when nobody waits for the answer any more. */
export type GivenUp = () => boolean;

const until = async (givenUp: GivenUp, ask: () => Promise<Taken | undefined>): Promise<Taken> => {
  while (!givenUp()) {
    const taken = await ask();
    if (taken) return taken;
    await pause(AGAIN_MS);
  }
  return { is: 'refused' };
};

const appendTo = async (log: RedisEventLog, { threadId, producer, events }: Append): Promise<Taken> => {
  const texts = events.map((event) => ({ json: JSON.stringify(event), source: 'agent' as const }));
  const outcome = await log.append({ thread: asThreadId(threadId), events: texts, producer });
  switch (outcome.status) {
    case 'stored': {
      const first = { epoch: outcome.epoch, seq: outcome.first };
      return { is: 'stored', count: outcome.last - outcome.first + 1, first };
    }
    case 'repeated':
      return { is: 'stored', count: 0 };
    case 'gap':
      return { is: 'gap', expected: outcome.expected };
    case 'fenced':
      return { is: 'fenced' };
    default:
      return { is: 'refused' };
  }
};

export const logDoor =
  (log: RedisEventLog, givenUp: GivenUp): AppendDoor =>
  (append) =>
    until(givenUp, async () => {
      try {
        return await appendTo(log, append);
      } catch (error) {
        if (isStoreAway(error)) return undefined;
        throw error;
      }
    });

interface PushAnswer {
  readonly accepted?: number;
  readonly refused?: number;
  readonly error?: { readonly code: string; readonly details?: { readonly expected?: number } };
}

const takenOf = ({ accepted = 0, refused = 0, error }: PushAnswer): Taken | undefined => {
  if (error === undefined) return refused > 0 ? { is: 'refused' } : { is: 'stored', count: accepted };
  const { code, details } = error;
  if (code === 'PRODUCER_GAP') return { is: 'gap', expected: details?.expected ?? 0 };
  if (code === 'PRODUCER_FENCED') return { is: 'fenced' };
  // Nobody knows what became of it, or it is not its time yet: the same again.
  const isForLater = ['STORE_UNAVAILABLE', 'DRAINING', 'THREAD_BUSY', 'RATE_LIMITED', 'NOT_FOUND'].includes(
    code,
  );
  return isForLater ? undefined : { is: 'refused' };
};

export interface Pusher {
  readonly hubs: readonly Hub[];
  readonly token: string;
  readonly chance: Chance;
  /** A thread that nobody knows any more would become the agent's own by its next push. */
  readonly gate: Gate;
}

const push = async ({ hubs, token, chance }: Pusher, append: Append): Promise<Taken | undefined> => {
  const { threadId, producer, events } = append;
  const response = await fetch(`${chance.one(hubs).url}/v1/threads/${threadId}/events`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/x-ndjson',
      'producer-id': producer.id,
      'producer-epoch': String(producer.epoch),
      'producer-seq': String(producer.seq),
    },
    body: events.map((event) => JSON.stringify(event)).join('\n'),
  });
  return takenOf((await response.json()) as PushAnswer);
};

export const pushDoor =
  (pusher: Pusher, givenUp: GivenUp): AppendDoor =>
  (append) =>
    // A hub that is gone, or an answer cut short: nobody knows what became of it.
    until(givenUp, () => pusher.gate.pass(() => push(pusher, append).catch(() => undefined)));
