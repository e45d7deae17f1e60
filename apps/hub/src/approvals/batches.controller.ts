/** The HTTP door for operators to the batches that wait for a person, and to what becomes of them. */
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import { parseText, type Approvals, type MendVerb } from '@triptych/approvals';
import { APPROVALS } from '@triptych/assembly/nest';
import { ok, refuse, type BatchState, type Result } from '@triptych/protocol';
import { parseObject } from '../http/parse-object.js';
import { Caller } from '../identity/caller.js';
import { BatchCloser } from './batch-closer.js';
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

/** Nobody has to say why, yet a reason that is given must be one. */
const parseReason = (body: unknown = {}): Result<string | undefined> => {
  const asked = parseObject(body);
  if (!asked.ok) return asked;
  return asked.value['reason'] === undefined ? ok(undefined) : parseText(asked.value, 'reason');
};

/** Of which attempt it was seen that it came to nothing. */
const parseAttempt = (body: unknown = {}): Result<{ readonly attempt?: number }> => {
  const asked = parseObject(body);
  if (!asked.ok) return asked;
  const { attempt } = asked.value;
  if (attempt === undefined) return ok({});
  return typeof attempt === 'number' && Number.isSafeInteger(attempt) && attempt >= 0
    ? ok({ attempt })
    : refuse('INVALID_INPUT', { details: { pointer: '/attempt' } });
};

interface Asked {
  readonly verb: MendVerb;
  readonly body: unknown;
  readonly attempt?: number;
}

@Controller('v1/batches')
export class BatchesController {
  constructor(
    @Inject(APPROVALS) private readonly approvals: Approvals,
    @Inject(BatchCloser) private readonly closer: BatchCloser,
  ) {}

  @Get()
  async list(@Caller() actor: Actor, @Query() query: Record<string, unknown>) {
    const states = parseStates(query.state);
    if (!states.ok) return states;
    const page = parsePage(query);
    return page.ok ? this.approvals.batches(actor, { ...states.value, ...page.value }) : page;
  }

  /** Its answers are sent again. */
  @Post(':batch/retry')
  @HttpCode(200)
  async retry(@Caller() actor: Actor, @Param('batch') batchId: string, @Body() body: unknown) {
    const seen = parseAttempt(body);
    return seen.ok ? this.mend(actor, batchId, { verb: 'retry', body, ...seen.value }) : seen;
  }

  /** Its questions are put once more. */
  @Post(':batch/reopen')
  @HttpCode(200)
  reopen(@Caller() actor: Actor, @Param('batch') batchId: string, @Body() body: unknown) {
    return this.mend(actor, batchId, { verb: 'reopen', body });
  }

  /** Its agent hears that nobody answers. */
  @Post(':batch/cancel')
  @HttpCode(200)
  cancel(@Caller() actor: Actor, @Param('batch') batchId: string, @Body() body: unknown) {
    return this.mend(actor, batchId, { verb: 'cancel', body });
  }

  /** Nothing is sent any more, and its thread is free. */
  @Post(':batch/mark-done')
  @HttpCode(200)
  async markDone(@Caller() actor: Actor, @Param('batch') batchId: string, @Body() body: unknown) {
    const reason = parseReason(body);
    return reason.ok ? this.closer.markDone(actor, batchId, reason.value) : reason;
  }

  private async mend(actor: Actor, batchId: string, { body, ...asked }: Asked) {
    const reason = parseReason(body);
    return reason.ok ? this.approvals.mend(actor, batchId, { ...asked, reason: reason.value }) : reason;
  }
}
