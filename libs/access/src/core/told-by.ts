/** Says in a record of the trail who did something, in which role, and how their call came in. */
import type { TrailNote } from '@triptych/protocol';
import type { Actor } from './actor.js';

export type ToldBy = Pick<TrailNote, 'actor' | 'requestId' | 'ip' | 'ua'>;

export const toldBy = ({ subject, through }: Actor, role?: string): ToldBy => {
  const { via = 'api', ...call } = through ?? {};
  return { actor: { id: subject, ...(role === undefined ? {} : { role }), via }, ...call };
};
