/** Finds out where a push stands: which run is under way, and what became of the one its producer worked for. */
import type { PushStanding } from '../core/push-course.js';
import type { PushNow } from '../core/push-store.js';
import type { PushTally } from './push-tally.js';
import { lastRunOf, type PushDeps, type PushDesk } from './push-desk.js';

/** One push, its thread at this moment, and what is known here of the thread. */
export interface PushAt {
  readonly tally: PushTally;
  readonly now: PushNow;
  readonly desk: PushDesk;
}

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
