/** Writes into the trail who reads a thread as it is: whoever sees all of it is seen. */
import { toldBy, type Actor } from '@triptych/access';
import { writeTrail } from '@triptych/platform';
import type { Surface, ThreadId, TrailNote } from '@triptych/protocol';
import type { Redis } from 'ioredis';

/** What is about to be shown. */
export interface Reading {
  readonly threadId: ThreadId;
  readonly surface: Surface;
  /** How much of it. */
  readonly after: TrailNote['after'] & object;
}

/** Kept when it returns; other surfaces do not show all there is. */
export type NoteReading = (actor: Actor, reading: Reading) => Promise<void>;

export const noteReadings =
  (redis: Redis): NoteReading =>
  async (actor, { threadId, surface, after }) => {
    if (surface !== 'operator') return;
    const { tenant } = actor;
    const read = { action: 'log.read', subject: { thread: threadId }, after };
    await writeTrail(redis, { tenant, ...read, ...toldBy(actor, 'operator') });
  };
