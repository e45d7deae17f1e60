/** Says whose turn it is on a thread: a run's, other people's, or its own client's. */
import { Inject, Injectable } from '@nestjs/common';
import type { Approvals } from '@triptych/approvals';
import { APPROVALS, LEDGER } from '@triptych/assembly/nest';
import type { ThreadId } from '@triptych/protocol';
import type { RunLedger, ThreadRecord } from '@triptych/runs';

@Injectable()
export class ThreadTurns {
  constructor(
    @Inject(LEDGER) private readonly ledger: RunLedger,
    @Inject(APPROVALS) private readonly approvals: Approvals,
  ) {}

  now(thread: ThreadId): Promise<ThreadRecord | undefined> {
    return this.ledger.thread(thread);
  }

  /** Calls of the client's own tools wait for its next run. */
  async isClients(thread: ThreadRecord | undefined): Promise<boolean> {
    return thread?.openBatch !== undefined && (await this.approvals.waitsForClient(thread.openBatch));
  }
}
