/** Shows threads as their readers may see them. */
import { Inject, Injectable } from '@nestjs/common';
import { errorCode, stepLabels } from '@triptych/access';
import { LEDGER, POLICY, type PolicySource } from '@triptych/assembly/nest';
import type { Render, Rooms, SurfaceSnapshot } from '@triptych/fanout';
import {
  ok,
  pendingInterruptsOf,
  refuse,
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
    const now = await this.rooms.snapshotOf(thread.threadId, surface);
    const { run } = now.model as Model;
    const record = await this.lastRun(thread.threadId, run?.started?.runId);
    return { ...told(now, words), ...(record ? { run: runSummary(record, surface) } : {}) };
  }

  /** As it was after an entry of the log; what became of its run since is not in it. */
  async snapshotAt({ thread, surface }: SeenThread, seq: number, words?: Render) {
    const past = await this.rooms.snapshotAt(thread.threadId, surface, seq);
    return past === 'trimmed' ? refuse('EXPIRED') : ok(told(past, words));
  }

  private lastRun(threadId: ThreadId, runId: unknown): Promise<RunRecord | undefined> {
    return typeof runId === 'string' ? this.ledger.run(threadId, runId) : Promise.resolve(undefined);
  }
}

const told = ({ pos, model, events }: SurfaceSnapshot, words: Render | undefined) => ({
  pos,
  events: words ? events.flatMap((event) => words(JSON.stringify(event)).map(parsed)) : events,
  openInterrupts: pendingInterruptsOf(model as Model),
});

const parsed = (json: string): AguiEvent => JSON.parse(json) as AguiEvent;

export const runSummary = (record: RunRecord, surface: Surface): RunSummary => ({
  runId: record.runId,
  status: record.status,
  ...(record.code === undefined ? {} : { code: errorCode(surface, record.code) }),
  startedAt: record.startedAt,
  ...(record.endedAt === undefined ? {} : { endedAt: record.endedAt }),
});
