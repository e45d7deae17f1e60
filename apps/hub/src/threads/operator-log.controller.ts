/** The operator's HTTP door to a thread's log: what was stored and who saw it, what was refused, what is worth a look. */
import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { permit, type Actor } from '@triptych/access';
import { HUB_SECRET } from '@triptych/assembly/nest';
import { REDIS } from '@triptych/platform/nest';
import { ok, refuse } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import { Caller } from '../identity/caller.js';
import { recordDeed } from '../identity/record.js';
import { PageQueryDto } from '../http/page-query.js';
import { parseDto } from '../http/parse-dto.js';
import { LogQueryDto } from './thread.dto.js';
import { OperatorLog } from './operator-log.js';
import { openCursor, sealCursor } from '../http/sealed-cursor.js';
import { ThreadAccess } from './thread-access.js';

const FINDINGS = 50;

@Controller('v1/threads/:thread')
export class OperatorLogController {
  constructor(
    @Inject(ThreadAccess) private readonly access: ThreadAccess,
    @Inject(OperatorLog) private readonly log: OperatorLog,
    @Inject(HUB_SECRET) private readonly secret: Buffer,
    @Inject(REDIS) private readonly redis: Redis,
  ) {}

  @Get('log')
  async read(@Caller() actor: Actor, @Param('thread') threadId: string, @Query() query: unknown) {
    const asked = parseDto(LogQueryDto, query);
    if (!asked.ok) return asked;
    const seen = await this.access.find(actor, threadId);
    if (!seen.ok) return seen;
    const facts = await this.access.facts(actor, seen.value.thread);
    const allowed = permit(actor, 'log.read', facts);
    if (!allowed.ok) return allowed;
    const { threadId: thread } = seen.value.thread;
    const { after, limit } = asked.value;
    const read = { subject: { thread }, after: { after, limit } };
    await recordDeed(this.redis, actor, { action: 'log.read', facts, ...read });
    return ok(await this.log.page(seen.value.thread, asked.value));
  }

  @Get('findings')
  async findings(@Caller() actor: Actor, @Param('thread') threadId: string, @Query() query: unknown) {
    const asked = parseDto(PageQueryDto, query);
    if (!asked.ok) return asked;
    const seen = await this.access.find(actor, threadId);
    if (!seen.ok) return seen;
    const facts = await this.access.facts(actor, seen.value.thread);
    const allowed = permit(actor, 'thread.findings', facts);
    if (!allowed.ok) return allowed;
    const { cursor: given, limit = FINDINGS } = asked.value;
    const cursor = given === undefined ? undefined : openCursor(this.secret, given);
    if (given !== undefined && cursor === undefined)
      return refuse('INVALID_INPUT', { details: { pointer: '/cursor' } });
    const wanted = cursor === undefined ? { limit } : { cursor, limit };
    const { items, next } = await this.log.findings(seen.value.thread.threadId, wanted);
    return ok(next === undefined ? { items } : { items, nextCursor: sealCursor(this.secret, next) });
  }

  @Get('subscribers')
  async subscribers(@Caller() actor: Actor, @Param('thread') threadId: string) {
    const seen = await this.access.find(actor, threadId);
    if (!seen.ok) return seen;
    const facts = await this.access.facts(actor, seen.value.thread);
    const allowed = permit(actor, 'thread.subscribers', facts);
    if (!allowed.ok) return allowed;
    return ok({ items: this.log.subscribers(seen.value.thread.threadId) });
  }
}
