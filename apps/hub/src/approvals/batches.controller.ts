/** The HTTP door for operators to the batches that wait for a person. */
import { Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import type { Approvals } from '@triptych/approvals';
import { APPROVALS } from '@triptych/assembly/nest';
import { ok, refuse, type BatchState, type Result } from '@triptych/protocol';
import { Caller } from '../identity/caller.js';
import { parsePage } from './parse-page.js';

const STATES: Readonly<Record<BatchState, true>> = {
  open: true,
  ready: true,
  dispatching: true,
  running: true,
  done: true,
  retry_wait: true,
  unknown: true,
  blocked: true,
};
const isState = (name: string): name is BatchState => Object.hasOwn(STATES, name);

const parseStates = (raw: unknown): Result<{ readonly states?: readonly BatchState[] }> => {
  if (raw === undefined) return ok({});
  const states = typeof raw === 'string' ? raw.split(',') : [''];
  return states.every(isState) ? ok({ states }) : refuse('INVALID_INPUT', { details: { pointer: '/state' } });
};

@Controller('v1/batches')
export class BatchesController {
  constructor(@Inject(APPROVALS) private readonly approvals: Approvals) {}

  @Get()
  async list(@Caller() actor: Actor, @Query() query: Record<string, unknown>) {
    const states = parseStates(query.state);
    if (!states.ok) return states;
    const page = parsePage(query);
    return page.ok ? this.approvals.batches(actor, { ...states.value, ...page.value }) : page;
  }

  /** Its answers are sent again; whoever asks for it answers for it by name. */
  @Post(':batch/retry')
  @HttpCode(200)
  retry(@Caller() actor: Actor, @Param('batch') batchId: string) {
    return this.approvals.retry(actor, batchId);
  }
}
