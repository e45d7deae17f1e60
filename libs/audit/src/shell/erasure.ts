/** Makes what a trail holds of a person unreadable, and says so in the trail. */
import type { TrailNote } from '@triptych/protocol';
import type { SealedTrail } from '../core/sealed-trail.js';

export interface ErasureDeps {
  readonly trail: Pick<SealedTrail, 'keyOf' | 'dropKey'>;
  readonly write: (note: TrailNote) => Promise<void>;
}

export interface Asked {
  readonly tenant: string;
  readonly subject: string;
  /** Who erases. */
  readonly by: string;
}

/** The id of the key that is no more; undefined: nothing was sealed under the person's name. */
export const erase = async ({ trail, write }: ErasureDeps, asked: Asked): Promise<string | undefined> => {
  const { tenant, subject, by } = asked;
  const key = await trail.keyOf(tenant, subject);
  if (key === undefined) return undefined;
  // First the word, then the deed, which may be repeated. The key alone names the person: the name is what is erased.
  await write({
    tenant,
    actor: { id: by, via: 'system' },
    action: 'trail.erase',
    subject: {},
    after: { key },
  });
  await trail.dropKey(tenant, subject);
  return key;
};
