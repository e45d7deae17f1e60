/** The HTTP door to single runs: what became of one, who worked for it, and how to stop it. */
import { Controller, Get, HttpCode, Inject, Param, Post, Query, Res } from '@nestjs/common';
import { can, type Actor } from '@triptych/access';
import { LEDGER } from '@triptych/assembly/nest';
import { isPrintableId, ok, refuse, type Result } from '@triptych/protocol';
import type { RunLedger, RunRecord } from '@triptych/runs';
import type { Response } from 'express';
import { Caller } from '../identity/caller.js';
import { type SeenThread, ThreadAccess } from '../threads/thread-access.js';
import { runSummary } from '../threads/thread-views.js';
import { RunCancel } from './run-cancel.js';
import { RunTrees } from './run-trees.js';

interface RunPath {
  readonly thread: string;
  readonly run: string;
}

@Controller('v1/threads/:thread/runs/:run')
export class RunsController {
  constructor(
    @Inject(ThreadAccess) private readonly access: ThreadAccess,
    @Inject(LEDGER) private readonly ledger: RunLedger,
    @Inject(RunCancel) private readonly cancels: RunCancel,
    @Inject(RunTrees) private readonly trees: RunTrees,
  ) {}

  @Get()
  async read(@Caller() actor: Actor, @Param() { thread, run }: RunPath, @Query('surface') surface?: unknown) {
    const found = await this.find(actor, { thread, run, surface });
    if (!found.ok) return found;
    const { seen, record } = found.value;
    const parentRunId = await this.trees.parentOf(seen, record);
    return ok({
      ...runSummary(record, seen.surface),
      ...(parentRunId === undefined ? {} : { parentRunId }),
    });
  }

  @Get('tree')
  async tree(@Caller() actor: Actor, @Param() { thread, run }: RunPath, @Query('surface') surface?: unknown) {
    const found = await this.find(actor, { thread, run, surface });
    if (!found.ok) return found;
    const facts = await this.access.facts(actor, found.value.seen.thread);
    return this.trees.of({ ...found.value, withFindings: can(actor, 'thread.findings', facts) });
  }

  @Post('cancel')
  @HttpCode(200)
  async cancel(
    @Caller() actor: Actor,
    @Param() { thread, run }: RunPath,
    @Res({ passthrough: true }) response: Response,
  ) {
    const cancelled = await this.cancels.cancel(actor, thread, run);
    if (cancelled.ok && cancelled.value.state === 'cancelling') response.status(202);
    return cancelled;
  }

  private async find(
    actor: Actor,
    { thread, run, surface }: RunPath & { readonly surface: unknown },
  ): Promise<Result<{ readonly seen: SeenThread; readonly record: RunRecord }>> {
    const seen = await this.access.find(actor, thread, surface);
    if (!seen.ok) return seen;
    const record = isPrintableId(run) ? await this.ledger.run(seen.value.thread.threadId, run) : undefined;
    return record ? ok({ seen: seen.value, record }) : refuse('NOT_FOUND');
  }
}
