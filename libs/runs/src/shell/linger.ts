/** Reads an agent's stream on for a short while after its run is over: a late error or one more run may follow. */
import { judge } from '@triptych/protocol';
import type { AguiEvent, JudgeState, Model } from '@triptych/protocol';
import type { AgentItem, JudgedEvent } from '../core/ports.js';
import type { RunRecord } from '../core/run-record.js';
import { keysOf } from '../adapters/run-keys.js';
import { startHeartbeat } from './heartbeat.js';
import type { CarryDeps, RunOrder } from './run-order.js';
import { RunWriter } from './run-writer.js';

interface Lingering {
  readonly deps: CarryDeps;
  readonly order: RunOrder;
  readonly abort: AbortController;
  readonly model: Model;
}

export interface Remaining {
  readonly items: AsyncGenerator<readonly AgentItem[], void, void>;
  readonly state: JudgeState;
  /** Judged already, stored not yet. */
  readonly rest: readonly JudgedEvent[];
}

/** A further run of the same stream, or none yet. */
interface Further {
  writer?: RunWriter;
  /** Nothing more counts: what followed could not be stored. */
  closed: boolean;
  stopBeating(): void;
}

export const lingerAfter = async (context: Lingering, remaining: Remaining): Promise<void> => {
  const further: Further = { closed: false, stopBeating: () => undefined };
  let { state } = remaining;
  let timer = setTimeout(() => context.abort.abort(), context.deps.lingerMs);
  try {
    await follow(context, further, remaining.rest);
    for (let next = await remaining.items.next(); !next.done; next = await remaining.items.next()) {
      const judged = judgeAll(state, next.value);
      state = judged.state;
      await follow(context, further, judged.events);
      further.closed ||= judged.closed;
      if (further.closed) context.abort.abort();
      clearTimeout(timer);
      const running = further.writer !== undefined && further.writer.ending === undefined;
      if (!running) timer = setTimeout(() => context.abort.abort(), context.deps.lingerMs);
    }
  } finally {
    clearTimeout(timer);
    further.stopBeating();
  }
  if (further.writer && !further.writer.ending) await further.writer.fail('hub/upstream-truncated');
};

/** Judges until something is not legal or the stream was cut: nothing after that counts. */
const judgeAll = (before: JudgeState, items: readonly AgentItem[]) => {
  let state = before;
  const events: JudgedEvent[] = [];
  for (const item of items) {
    const judged = item.kind === 'event' ? judge(state, item.text) : undefined;
    if (!judged?.ok) return { state, events, closed: true };
    state = judged.state;
    events.push(...judged.events);
  }
  return { state, events, closed: false };
};

const follow = async (
  context: Lingering,
  further: Further,
  events: readonly JudgedEvent[],
): Promise<void> => {
  let left = events;
  while (left.length > 0 && !further.closed) {
    const [first] = left;
    if (first?.event.type === 'RUN_STARTED') await beginFurther(context, further, first.event);
    else if (first && !further.writer) await lateError(context, first);
    const open = further.writer && !further.writer.ending ? further.writer : undefined;
    left = open ? left.slice(await open.write(left)) : left.slice(1);
  }
};

/** A further RUN_STARTED is stored if the thread is free. */
const beginFurther = async (
  { deps, order, model, abort }: Lingering,
  further: Further,
  event: AguiEvent,
): Promise<void> => {
  const { thread, record } = order.admitted;
  const runId = String(event.runId);
  const asked = { runId, fingerprint: `further:${record.runId}`, requester: record.requester, messages: [] };
  const { threadId, tenant, owner, agentId } = thread;
  const admission = await deps.ledger.admit({
    thread: threadId,
    tenant,
    owner,
    mustOwn: false,
    agentId,
    record: asked,
  });
  if (admission.status !== 'admitted') {
    deps.report('run.further-refused', { thread: threadId, run: runId, why: admission.status });
    further.closed = true;
    return;
  }
  const base = further.writer?.model ?? model;
  const run = {
    ...admission,
    idempotent: order.agent.idempotent,
    statePatch: [],
    requesters: order.requesters,
  };
  further.writer = new RunWriter(deps, run, base);
  further.stopBeating();
  further.stopBeating = startHeartbeat({
    ledger: deps.ledger,
    lease: admission.lease,
    onCancel: () => abort.abort(),
    onLost: () => abort.abort(),
    onError: (error) => deps.report('run.heartbeat-failed', { run: runId, error: String(error) }),
  });
};

/** A RUN_ERROR after the end is stored while nothing else has begun; otherwise it only marks its run. */
const lateError = async ({ deps, order }: Lingering, { event, json }: JudgedEvent): Promise<void> => {
  if (event.type !== 'RUN_ERROR') return;
  const { lease, record } = order.admitted;
  const keys = keysOf(lease.thread);
  const code = typeof event.code === 'string' ? { code: event.code } : {};
  const failed: RunRecord = { ...record, status: 'failed', ...code, endedAt: deps.clock.now() };
  const mark = ['HSET', keys.runs, lease.runId, JSON.stringify(failed)] as const;
  const free = [{ key: keys.run, field: 'id', equals: '' }];
  const status = ['HSET', keys.thread, 'status', 'failed'] as const;
  const events = [{ json, source: 'agent' as const }];
  const reply = await deps.log.append({ thread: lease.thread, events, guards: free, riders: [mark, status] });
  if (reply.status === 'guarded') await deps.log.append({ thread: lease.thread, events: [], riders: [mark] });
};
