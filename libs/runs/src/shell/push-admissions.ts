/** Lets a run begin that its agent begins by itself: it is admitted in the step that stores its first events. */
import { isPrintableId } from '@triptych/protocol';
import type { RunLedger } from '../core/ledger.js';
import type { PushItem } from '../core/push-batch.js';
import { heardAt, VOUCH_MS, type PushHold } from '../core/push-hold.js';
import type { PushAgent } from '../core/ports.js';
import type { PushDeps } from './push-desk.js';
import type { PushAt } from './push-standing.js';
import type { PushFault } from './push-tally.js';
import type { WriterRun } from './run-writer.js';

export type PushAdmitted =
  | { readonly is: 'free'; readonly run: WriterRun }
  | { readonly is: 'active' }
  | { readonly is: 'busy' }
  | { readonly is: 'not-found' }
  | { readonly is: 'fault'; readonly what: PushFault };

const fault = (rule: string, message: string, pointer: string): PushAdmitted => ({
  is: 'fault',
  what: { rule, message, pointer },
});
const REUSED = fault('run-id-reused', 'A run id is used once on a thread.', '/runId');

export class PushAdmissions {
  constructor(private readonly deps: PushDeps) {}

  async prepare(at: PushAt, { text, runId }: PushItem): Promise<PushAdmitted> {
    const { thread, tenant, subject, agent } = at.tally.request;
    // Looked at before there is a run that could end of it.
    const { threadId } = JSON.parse(text) as { threadId?: unknown };
    if (threadId !== thread)
      return fault('wrong-thread', 'The event belongs to another thread.', '/threadId');
    if (!isPrintableId(runId))
      return fault('malformed', 'A run id is 1 to 256 printable characters.', '/runId');
    const record = { runId, fingerprint: `pushed:${runId}`, requester: subject, messages: [] };
    const news = { tenant, agentId: agent.id, thread, runId };
    await this.deps.pushes.watch(thread);
    const prepared = await this.deps.ledger.prepare({
      ...{
        thread,
        tenant,
        owner: at.now.thread?.owner ?? subject,
        mustOwn: false,
        agentId: agent.id,
        record,
      },
      riders: this.deps.pushes.admissionRiders(holdOf(at, runId), news),
    });
    return admittedAs(prepared, runId, agent);
  }
}

const holdOf = ({ tally, now: { now } }: PushAt, run: string): PushHold => {
  const { agent, socket } = tally.request;
  const ends = now + agent.timeouts.totalMs;
  return {
    ...{ run, ends, ...heardAt(now, agent.timeouts, ends) },
    ...(socket === undefined ? {} : { socket: { id: socket, until: now + VOUCH_MS } }),
  };
};

const admittedAs = (
  prepared: Awaited<ReturnType<RunLedger['prepare']>>,
  runId: string,
  { idempotent }: PushAgent,
): PushAdmitted => {
  switch (prepared.status) {
    case 'free':
      return { is: 'free', run: { ...prepared.admitted, admission: prepared, idempotent, statePatch: [] } };
    case 'attached':
      return prepared.record.status === 'running' ? { is: 'active' } : REUSED;
    case 'conflict':
      return REUSED;
    case 'busy':
      return { is: prepared.runId === runId ? 'active' : 'busy' };
    case 'waiting':
    case 'guarded':
      return { is: 'busy' };
    case 'elsewhere':
    case 'bound':
      return { is: 'not-found' };
  }
};
