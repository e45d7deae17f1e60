/** Finds out where a push stands: which run is under way, and what became of the one its producer worked for. */
import type { PushRequest } from '../core/push-batch.js';
import type { PushStanding } from '../core/push-course.js';
import { heardAt, VOUCH_MS, type PushHold } from '../core/push-hold.js';
import type { PushNow } from '../core/push-store.js';
import type { PushTally } from './push-tally.js';
import { lastRunOf, type PushDeps, type PushDesk } from './push-desk.js';

/** One push, its thread at this moment, and what is known here of the thread. */
export interface PushAt {
  readonly tally: PushTally;
  readonly now: PushNow;
  readonly desk: PushDesk;
}

/** The caller may not know of the thread. */
export const isAnothers = ({ thread }: PushNow, { tenant, agent }: PushRequest): boolean =>
  thread !== undefined && (thread.tenant !== tenant || thread.agentId !== agent.id);

const ownRun = async (deps: PushDeps, { tally, now, desk }: PushAt): Promise<PushStanding['own']> => {
  const runId = now.producer?.run;
  if (!runId) return undefined;
  const isLast = lastRunOf(desk.model) === runId;
  if (runId === now.active?.runId) return { runId, isLast };
  const record = await deps.ledger.run(tally.request.thread, runId);
  if (!record || record.status === 'running') return undefined;
  return { runId, isLast, endedBy: record.code?.startsWith('hub/') ? 'hub' : 'agent' };
};

export const standingOf = async (deps: PushDeps, at: PushAt): Promise<PushStanding> => {
  const { active } = at.now;
  const own = await ownRun(deps, at);
  return { ...(active ? { active } : {}), ...(own ? { own } : {}) };
};

/** What the agent says keeps its run alive; once it was asked to stop, nothing puts off the end. */
export const holdAfter = ({ tally, now }: PushAt): Partial<PushHold> | undefined => {
  const { active } = now;
  if (!active?.hold) return undefined;
  const { socket: id, agent } = tally.request;
  const times = active.cancelled ? {} : heardAt(now.now, agent.timeouts, active.hold.ends);
  return { ...times, ...(id === undefined ? {} : { socket: { id, until: now.now + VOUCH_MS } }) };
};
