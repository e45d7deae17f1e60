/**
 * Names the Redis keys of records that are not sealed yet.
 *
 * A thread's records lie in its slot, `tt:{T}:trail`; all others of a tenant in its stream `tt:trail:<tenant>:in`. No
 * stream is ever trimmed but by the sealer. Whoever is to write one names tenant and thread in the indexes first, so
 * that an index may lead to an empty stream but no record is out of sight: an entry of `pending` may go only when its
 * stream is empty and its score (Unix ms of the last such word) older than TRAIL_GRACE_MS.
 */
import { threadKey } from './thread-tag.js';

/** Between the word and the record lies one step; whoever was frozen for longer is found by the thread's next record. */
export const TRAIL_GRACE_MS = 300_000;

/** Set of the tenants that ever had a record. */
export const TRAIL_TENANTS = 'tt:trails';

/** A tenant's name holds what separates the parts of a key; encoded it cannot be mistaken for another's. */
const ofTenant = (tenant: string, part: string): string => `tt:trail:${encodeURIComponent(tenant)}:${part}`;

/** Sorted set: threadId by when a record was last announced (Unix ms). */
export const pendingTrails = (tenant: string): string => ofTenant(tenant, 'pending');
/** Stream of what belongs to no thread. */
export const looseTrail = (tenant: string): string => ofTenant(tenant, 'in');
/** The version of the policy that was recorded for it last. */
export const policyTrail = (tenant: string): string => ofTenant(tenant, 'policy');
/** Stream of one thread; its ids never go back, so it is emptied but not deleted while the thread lives. */
export const threadTrail = (threadId: string): string => threadKey(threadId, 'trail');
