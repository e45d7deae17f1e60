/** Stops a run for whoever may stop it; closing a connection never does. */
import { Inject, Injectable } from '@nestjs/common';
import { permit, type Actor } from '@triptych/access';
import { LEDGER, RUNS } from '@triptych/assembly/nest';
import { ok, refuse, type Result, type RunStatus } from '@triptych/protocol';
import type { RunLedger, Runs } from '@triptych/runs';
import { parseRunId } from '../http/parse-ids.js';
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
    const seen = await this.access.find(actor, threadId);
    if (!seen.ok) return seen;
    const id = parseRunId(runId);
    if (!id.ok) return id;
    const { thread } = seen.value;
    const allowed = permit(actor, 'run.cancel', await this.access.facts(actor, thread));
    if (!allowed.ok) return allowed;
    const record = await this.ledger.run(thread.threadId, id.value);
    if (!record) return refuse('NOT_FOUND');
    const stopping = record.status === 'running' && (await this.runs.cancel(thread.threadId, record.runId));
    return stopping ? ok({ state: 'cancelling' }) : ok({ state: 'ended', status: record.status });
  }
}
