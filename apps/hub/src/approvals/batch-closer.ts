/** Declares batches done: one step stores the decision and the run that tells every screen of it. */
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import type { Approvals } from '@triptych/approvals';
import { APPROVALS, RUNS } from '@triptych/assembly/nest';
import { asThreadId, ok, refuse, type BatchView, type Result } from '@triptych/protocol';
import type { Runs } from '@triptych/runs';

/** In each try that fails somebody else changed the batch; so many of them do not. */
const MAX_TRIES = 20;
const TRY_AGAIN_MS = 250;

@Injectable()
export class BatchCloser {
  constructor(
    @Inject(APPROVALS) private readonly approvals: Approvals,
    @Inject(RUNS) private readonly runs: Runs,
  ) {}

  async markDone(actor: Actor, batchId: string, reason?: string): Promise<Result<BatchView>> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const closing = await this.approvals.closingFor(actor, batchId, reason);
      if (!closing.ok) return closing;
      const { view, close } = closing.value;
      if (!close || (await this.runs.close({ ...close, thread: asThreadId(close.threadId) })))
        return ok(view);
    }
    return refuse('RATE_LIMITED', { retryAfterMs: TRY_AGAIN_MS });
  }
}
