/** Stores what an agent says after its run is over: a late error, or the beginning of one more run. */
import type { AguiEvent } from '@triptych/protocol';
import type { AdmittedRun, RunRecord } from '../core/run-record.js';
import type { NewEvent, Rider } from '../core/ports.js';
import { throughGrace } from './grace.js';
import type { CarryDeps } from './run-order.js';

/** A further RUN_STARTED is stored if the thread is free; undefined: it is not. */
export const admitFurther = async (
  deps: CarryDeps,
  last: AdmittedRun,
  event: AguiEvent,
): Promise<AdmittedRun | undefined> => {
  const { threadId, tenant, owner, agentId } = last.thread;
  const runId = String(event.runId);
  const { requester } = last.record;
  const record = { runId, fingerprint: `after:${last.record.runId}`, requester, messages: [] };
  const asked = { thread: threadId, tenant, owner, mustOwn: false, agentId, record };
  const admission = await throughGrace(deps, () => deps.ledger.admit(asked));
  if (admission.status === 'admitted') return admission;
  deps.report('run.further-refused', { thread: threadId, run: runId, why: admission.status });
  return undefined;
};

/** A RUN_ERROR after the end, of the agent or of the hub, and the code its run's record then has. */
export interface LateError {
  readonly stored: NewEvent;
  readonly code?: string;
  /** Kept whether the error finds a place or not. */
  readonly riders?: readonly Rider[];
}

/** A RUN_ERROR after the end is stored while nothing else has begun; otherwise it only marks its run. */
export const storeLateError = async (
  deps: CarryDeps,
  last: AdmittedRun,
  { stored, code, riders = [] }: LateError,
): Promise<void> => {
  const { lease, record, thread } = last;
  const marked = code === undefined ? {} : { code };
  const failed: RunRecord = { ...record, status: 'failed', ...marked, endedAt: deps.clock.now() };
  const { whileFree, marking } = deps.ledger.writes(lease, thread, deps.clock.now()).failedLate(failed);
  // The same producer place as a repeat: the error is stored once, however often the store goes away.
  const producer = { id: 'late', epoch: lease.term, seq: 0 };
  const free = { guards: whileFree.guards, riders: [...whileFree.riders, ...riders] };
  await throughGrace(deps, async () => {
    const reply = await deps.log.append({ thread: lease.thread, events: [stored], producer, ...free });
    if (reply.status === 'guarded')
      await deps.log.append({ thread: lease.thread, events: [], riders: [...marking, ...riders] });
  });
};
