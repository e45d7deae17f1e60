/** Shows threads as their readers may see them. */
import { Inject, Injectable } from '@nestjs/common';
import { stepLabels } from '@triptych/access';
import { LEDGER, POLICY, type PolicySource } from '@triptych/assembly/nest';
import type { Render, Rooms } from '@triptych/fanout';
import {
  pendingInterruptsOf,
  RUN_ERRORS,
  type AguiEvent,
  type Model,
  type RunSummary,
  type Surface,
  type ThreadId,
  type ThreadSummary,
} from '@triptych/protocol';
import type { RunLedger, RunRecord } from '@triptych/runs';
import { ROOMS } from '../rooms/rooms.providers.js';
import type { SeenThread } from './thread-access.js';

@Injectable()
export class ThreadViews {
  constructor(
    @Inject(ROOMS) private readonly rooms: Rooms,
    @Inject(POLICY) private readonly policy: PolicySource,
    @Inject(LEDGER) private readonly ledger: RunLedger,
  ) {}

  async summary({ thread, surface }: SeenThread): Promise<ThreadSummary> {
    const { threadId, agentId, owner, status, activeRunId, updatedAt } = thread;
    const { pos, model } = await this.rooms.glance(threadId, surface);
    return {
      threadId,
      agentId,
      owner,
      status,
      pos,
      updatedAt,
      ...(activeRunId === undefined ? {} : { activeRunId }),
      openInterrupts: pendingInterruptsOf(model as Model),
      steps: stepLabels(this.policy.current(), surface),
    };
  }

  /** `words`: in whose words the events are told, if not as they are. */
  async snapshot({ thread, surface }: SeenThread, words?: Render) {
    const { pos, model, events } = await this.rooms.snapshotOf(thread.threadId, surface);
    const { run } = model as Model;
    const record = await this.lastRun(thread.threadId, run?.started?.runId);
    return {
      pos,
      events: words ? events.flatMap((event) => words(JSON.stringify(event)).map(parsed)) : events,
      ...(record ? { run: runSummary(record, surface) } : {}),
      openInterrupts: pendingInterruptsOf(model as Model),
    };
  }

  private lastRun(threadId: ThreadId, runId: unknown): Promise<RunRecord | undefined> {
    return typeof runId === 'string' ? this.ledger.run(threadId, runId) : Promise.resolve(undefined);
  }
}

const parsed = (json: string): AguiEvent => JSON.parse(json) as AguiEvent;

/** As streams say it: an agent's own code is not for customers. */
const shownCode = (code: string, surface: Surface): string =>
  surface === 'customer' && !Object.hasOwn(RUN_ERRORS, code) ? 'hub/agent-error' : code;

export const runSummary = (record: RunRecord, surface: Surface): RunSummary => ({
  runId: record.runId,
  status: record.status,
  ...(record.code === undefined ? {} : { code: shownCode(record.code, surface) }),
  startedAt: record.startedAt,
  ...(record.endedAt === undefined ? {} : { endedAt: record.endedAt }),
});
