/** Lets a bridge speak for a person it is linked with: in that person's name, with no right that is not theirs. */
import { ok, refuse, type Result, type TrailVia } from '@triptych/protocol';
import { type Actor, MAX_TOKEN_LIFE_MS, type Passage, type Role } from './actor.js';

const BRIDGED_BY = ['slack', 'teams', 'webhook', 'mail'] as const satisfies readonly TrailVia[];
export type BridgedBy = (typeof BRIDGED_BY)[number];

/** Somebody a directory links with an account elsewhere. */
export interface LinkedPerson extends Pick<Actor, 'subject' | 'tenant' | 'groups' | 'name'> {
  readonly roles: readonly Role[];
  /** Unix milliseconds; without it any revocation that is remembered reaches them. */
  readonly linkedAt?: number;
}

export interface BridgedCall extends Passage {
  readonly via: BridgedBy;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Long enough for one call and its second tries. */
const CALL_MS = 60_000;

export const isBridged = ({ through }: Actor): boolean =>
  (BRIDGED_BY as readonly unknown[]).includes(through?.via);

/** ACC-71: without a person there is nobody, and an agent is no person. */
export const spokenFor = (call: BridgedCall, person: LinkedPerson | undefined): Result<Actor> => {
  if (!person || person.roles.includes('agent'))
    return refuse('FORBIDDEN', { message: 'This account is not linked with anybody here.' });
  const { linkedAt, ...known } = person;
  const { now, ...through } = call;
  const earliest = Math.max(0, now - MAX_TOKEN_LIFE_MS);
  return ok({ ...known, issuedAt: linkedAt ?? earliest, expiresAt: now + CALL_MS, through });
};
