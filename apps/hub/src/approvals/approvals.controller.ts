/** The HTTP door of approvals: the queue, one task, and what can be asked of it. */
import type { IncomingHttpHeaders } from 'node:http';
import { Body, Controller, Get, Headers, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import type { Approvals } from '@triptych/approvals';
import { APPROVALS } from '@triptych/assembly/nest';
import { refuse } from '@triptych/protocol';
import { parseObject } from '../http/parse-object.js';
import { Caller } from '../identity/caller.js';
import { BulkDoor } from './bulk-door.js';
import { InboxDesk } from './inbox-desk.js';
import { isTaskCommand, TaskDoor } from './task-door.js';

@Controller('v1/approvals')
export class ApprovalsController {
  constructor(
    @Inject(APPROVALS) private readonly approvals: Approvals,
    @Inject(InboxDesk) private readonly inbox: InboxDesk,
    @Inject(TaskDoor) private readonly tasks: TaskDoor,
    @Inject(BulkDoor) private readonly bulk: BulkDoor,
  ) {}

  @Get()
  list(@Caller() actor: Actor, @Query() query: Record<string, unknown>) {
    return this.inbox.list(actor, query);
  }

  /** What is open for the caller, counted by what it is looked for by. */
  @Get('facets')
  facets(@Caller() actor: Actor) {
    return this.approvals.facets(actor);
  }

  @Get(':task')
  read(@Caller() actor: Actor, @Param('task') taskId: string) {
    return this.approvals.get(actor, taskId);
  }

  @Post('decide')
  @HttpCode(200)
  decideMany(
    @Caller() actor: Actor,
    @Body() body: unknown,
    @Headers('idempotency-key') key: string | undefined,
  ) {
    return this.bulk.decide(actor, body, key);
  }

  /** Who decided what, signed: it can be verified with the published keys alone. */
  @Get(':task/receipt')
  receipt(@Caller() actor: Actor, @Param('task') taskId: string) {
    return this.approvals.receipt(actor, taskId);
  }

  @Post(':task/:command')
  @HttpCode(200)
  ask(
    @Caller() actor: Actor,
    @Param() { task, command }: { task: string; command: string },
    @Body() body: unknown = {},
    @Headers() { 'if-match': rev, 'idempotency-key': idempotencyKey }: IncomingHttpHeaders,
  ) {
    if (!isTaskCommand(command)) return refuse('NOT_FOUND');
    const asked = parseObject(body);
    if (!asked.ok) return asked;
    const said = {
      ...(rev !== undefined && { rev }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    };
    return this.tasks.answer(actor, command, { ...asked.value, ...said, taskId: task });
  }
}
