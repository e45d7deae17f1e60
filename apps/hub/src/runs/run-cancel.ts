/** Stops a run for whoever may stop it; closing a connection never does. */
import { Inject, Injectable } from '@nestjs/common';
import { permit, type Actor } from '@triptych/access';
import { LEDGER, RUNS } from '@triptych/assembly/nest';
import { ok, refuse, type Result, type RunStatus } from '@triptych/protocol';
import type { RunLedger, Runs, ThreadRecord } from '@triptych/runs';
import { parseRunId } from '../http/parse-ids.js';
import { refuseBinding } from '../threads/binding.js';
import { ThreadAccess } from '../threads/thread-access.js';

export type Cancelled =
  { readonly state: 'cancelling' } | { readonly state: 'ended'; readonly status: RunStatus };

@Injectable()
export class RunCancel {
  constructor(
    @Inject(ThreadAccess) private readonly access: ThreadAccess,
    @Inject(LEDGER) private readonly ledger: RunLedger,
    @Inject(RUNS) private readonly runs: Runs,
  ) {}

  async cancel(actor: Actor, threadId: unknown, runId: unknown): Promise<Result<Cancelled>> {
    const thread = await this.find(actor, threadId);
    if (!thread.ok) return thread;
    const id = parseRunId(runId);
    if (!id.ok) return id;
    const allowed = await this.mayCancel(actor, thread.value);
    return allowed.ok ? this.stop(thread.value, id.value) : allowed;
  }

  /** Whatever run of its agent the thread has now; without one it is as if it were over already. */
  async cancelThread(actor: Actor, agentId: string, threadId: unknown): Promise<Result<Cancelled>> {
    const thread = await this.find(actor, threadId);
    if (!thread.ok) return thread;
    const allowed = await this.mayCancel(actor, thread.value);
    if (!allowed.ok) return allowed;
    if (thread.value.agentId !== agentId) return refuseBinding(thread.value);
    const { activeRunId } = thread.value;
    return activeRunId === undefined
      ? ok({ state: 'ended', status: 'success' })
      : this.stop(thread.value, activeRunId);
  }

  private async find(actor: Actor, threadId: unknown): Promise<Result<ThreadRecord>> {
    const seen = await this.access.find(actor, threadId);
    return seen.ok ? ok(seen.value.thread) : seen;
  }

  private async mayCancel(actor: Actor, thread: ThreadRecord): Promise<Result<true>> {
    return permit(actor, 'run.cancel', await this.access.facts(actor, thread));
  }

  private async stop({ threadId }: ThreadRecord, runId: string): Promise<Result<Cancelled>> {
    const record = await this.ledger.run(threadId, runId);
    if (!record) return refuse('NOT_FOUND');
    const stopping = record.status === 'running' && (await this.runs.cancel(threadId, record.runId));
    return stopping ? ok({ state: 'cancelling' }) : ok({ state: 'ended', status: record.status });
  }
}
