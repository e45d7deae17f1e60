/** Stores what an agent says after its run is over: a late error, or the beginning of one more run. */
import { VIOLATIONS } from '@triptych/protocol';
import { refusedRider } from '../adapters/refused-events.js';
import type { AdmitRequest } from '../core/ledger.js';
import type { AdmittedRun, RunRecord } from '../core/run-record.js';
import type { JudgedEvent, NewEvent, Rider } from '../core/ports.js';
import { throughGrace } from './grace.js';
import type { CarryDeps } from './run-order.js';

/** PRO-31: an agent that failed before it began its run may begin it after all; any other run is one more. */
const recordAfter = (
  { record: { runId: lastId, fingerprint, requester, messages, tools } }: AdmittedRun,
  runId: string,
): Pick<AdmitRequest, 'record' | 'again'> =>
  runId === lastId
    ? { again: true, record: { runId, fingerprint, requester, messages, ...(tools ? { tools } : {}) } }
    : { record: { runId, fingerprint: `after:${lastId}`, requester, messages: [] } };

/** A further RUN_STARTED is stored if the thread is free; undefined: it is not. */
export const admitFurther = async (
  deps: CarryDeps,
  last: AdmittedRun,
  { event, json }: JudgedEvent,
): Promise<AdmittedRun | undefined> => {
  const { threadId, tenant, owner, agentId } = last.thread;
  const runId = String(event.runId);
  const asked = { thread: threadId, tenant, owner, mustOwn: false, agentId, ...recordAfter(last, runId) };
  const admission = await throughGrace(deps, () => deps.ledger.admit(asked));
  if (admission.status === 'admitted') return admission;
  deps.report('run.further-refused', { thread: threadId, run: runId, why: admission.status });
  const rule = admission.status === 'conflict' ? 'run-id-reused' : 'thread-taken';
  const refused = { text: json, rule, message: VIOLATIONS[rule], at: deps.clock.now() };
  const riders = [refusedRider(threadId, refused)];
  await throughGrace(deps, () => deps.log.append({ thread: threadId, events: [], riders }));
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
  await throughGrace(deps, async () => {
    const more = [
      ...riders,
      ...(await deps.closings.failedLateFor({ threadId: thread.threadId, runId: lease.runId })),
    ];
    const free = { guards: whileFree.guards, riders: [...whileFree.riders, ...more] };
    const reply = await deps.log.append({ thread: lease.thread, events: [stored], producer, ...free });
    if (reply.status === 'guarded')
      await deps.log.append({ thread: lease.thread, events: [], riders: [...marking, ...more] });
  });
};
