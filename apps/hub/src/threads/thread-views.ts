/** Shows threads as their readers may see them. */
import { Inject, Injectable } from '@nestjs/common';
import { stepLabels } from '@triptych/access';
import { POLICY, type PolicySource } from '@triptych/assembly/nest';
import type { Rooms } from '@triptych/fanout';
import {
  pendingInterruptsOf,
  RUN_ERRORS,
  type Model,
  type RunSummary,
  type Surface,
  type ThreadSummary,
} from '@triptych/protocol';
import type { RunRecord } from '@triptych/runs';
import { ROOMS } from '../rooms/rooms.providers.js';
import type { SeenThread } from './thread-access.js';

@Injectable()
export class ThreadViews {
  constructor(
    @Inject(ROOMS) private readonly rooms: Rooms,
    @Inject(POLICY) private readonly policy: PolicySource,
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

  async snapshot({ thread, surface }: SeenThread) {
    const { pos, model, events } = await this.rooms.snapshotOf(thread.threadId, surface);
    return { pos, events, openInterrupts: pendingInterruptsOf(model as Model) };
  }
}

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
