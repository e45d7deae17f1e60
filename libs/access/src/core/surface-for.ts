/** Chooses the view a call gets when it does not name one, and checks the one it names. */
import type { Surface } from '@triptych/protocol';
import type { Actor } from './actor.js';

const surfacesOf = ({ roles }: Actor): readonly Surface[] => {
  if (roles.includes('operator')) return ['operator', 'reviewer', 'customer'];
  return [
    ...(roles.includes('reviewer') || roles.includes('supervisor') ? (['reviewer'] as const) : []),
    ...(roles.includes('customer') ? (['customer'] as const) : []),
  ];
};

/**
 * ACC-5: the customer surface for the thread's owner acting as customer, else the caller's highest; `asked` chooses
 * within rights. Undefined: none. Whether the caller may read this thread on that surface is `thread.read`'s to say.
 */
export const surfaceFor = (
  actor: Actor,
  { owner, asked }: { readonly owner?: string; readonly asked?: string },
): Surface | undefined => {
  const surfaces = surfacesOf(actor);
  if (asked !== undefined) return surfaces.find((surface) => surface === asked);
  if (actor.roles.includes('customer') && owner === actor.subject) return 'customer';
  return surfaces[0];
};
