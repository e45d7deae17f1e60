/** The operator's HTTP door to a thread's log: stored events with who saw them, refused ones with their rule. */
import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { can, type Actor } from '@triptych/access';
import { ok, refuse } from '@triptych/protocol';
import { Caller } from '../identity/caller.js';
import { parseDto } from '../http/parse-dto.js';
import { LogQueryDto } from './thread.dto.js';
import { OperatorLog } from './operator-log.js';
import { ThreadAccess } from './thread-access.js';

@Controller('v1/threads/:thread')
export class OperatorLogController {
  constructor(
    @Inject(ThreadAccess) private readonly access: ThreadAccess,
    @Inject(OperatorLog) private readonly log: OperatorLog,
  ) {}

  @Get('log')
  async read(@Caller() actor: Actor, @Param('thread') threadId: string, @Query() query: unknown) {
    const asked = parseDto(LogQueryDto, query);
    if (!asked.ok) return asked;
    const seen = await this.access.find(actor, threadId);
    if (!seen.ok) return seen;
    const facts = await this.access.facts(actor, seen.value.thread);
    if (!can(actor, 'log.read', facts)) return refuse('FORBIDDEN');
    return ok(await this.log.page(seen.value.thread, asked.value));
  }

  @Get('subscribers')
  async subscribers(@Caller() actor: Actor, @Param('thread') threadId: string) {
    const seen = await this.access.find(actor, threadId);
    if (!seen.ok) return seen;
    const facts = await this.access.facts(actor, seen.value.thread);
    if (!can(actor, 'thread.subscribers', facts)) return refuse('FORBIDDEN');
    return ok({ items: this.log.subscribers(seen.value.thread.threadId) });
  }
}
