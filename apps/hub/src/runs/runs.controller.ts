/** The HTTP door to single runs: what became of one, and how to stop it. */
import { Controller, Get, HttpCode, Inject, Param, Post, Res } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import { LEDGER } from '@triptych/assembly/nest';
import { isPrintableId, ok, refuse } from '@triptych/protocol';
import type { RunLedger } from '@triptych/runs';
import type { Response } from 'express';
import { Caller } from '../identity/caller.js';
import { ThreadAccess } from '../threads/thread-access.js';
import { runSummary } from '../threads/thread-views.js';
import { RunCancel } from './run-cancel.js';

@Controller('v1/threads/:thread/runs/:run')
export class RunsController {
  constructor(
    @Inject(ThreadAccess) private readonly access: ThreadAccess,
    @Inject(LEDGER) private readonly ledger: RunLedger,
    @Inject(RunCancel) private readonly cancels: RunCancel,
  ) {}

  @Get()
  async read(@Caller() actor: Actor, @Param('thread') threadId: string, @Param('run') runId: string) {
    const seen = await this.access.find(actor, threadId);
    if (!seen.ok) return seen;
    const { thread, surface } = seen.value;
    const record = isPrintableId(runId) ? await this.ledger.run(thread.threadId, runId) : undefined;
    return record ? ok(runSummary(record, surface)) : refuse('NOT_FOUND');
  }

  @Post('cancel')
  @HttpCode(200)
  async cancel(
    @Caller() actor: Actor,
    @Param() { thread, run }: { thread: string; run: string },
    @Res({ passthrough: true }) response: Response,
  ) {
    const cancelled = await this.cancels.cancel(actor, thread, run);
    if (cancelled.ok && cancelled.value.state === 'cancelling') response.status(202);
    return cancelled;
  }
}
