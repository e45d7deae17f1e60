/** Writes into the trail what a person did or saw that changes no task. */
import { roleFor, toldBy, type Action, type Actor, type FactsOf } from '@triptych/access';
import { writeTrail } from '@triptych/platform';
import type { TrailNote } from '@triptych/protocol';
import type { Redis } from 'ioredis';

/** What they did under this permission, on these facts. */
export interface Permitted<A extends Action> {
  readonly action: A;
  readonly facts: FactsOf[A];
}

/** Kept when this returns. */
export const recordDeed = <A extends Action>(
  redis: Redis,
  actor: Actor,
  { action, facts, ...told }: Permitted<A> & Pick<TrailNote, 'subject' | 'after'>,
): Promise<void> =>
  writeTrail(redis, {
    ...{ tenant: actor.tenant, action, ...told },
    ...toldBy(actor, roleFor(actor, action, facts)),
  });
