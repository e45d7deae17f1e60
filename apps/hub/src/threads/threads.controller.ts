/** The HTTP door of threads: create, list, read, and what the operator reads of their logs. */
import { randomUUID } from 'node:crypto';
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import { isPrintableId, ok, refuse, type Result, type ThreadSummary } from '@triptych/protocol';
import { Caller } from '../identity/caller.js';
import { parseDto } from '../http/parse-dto.js';
import { CreateThreadDto, ThreadQueryDto } from './thread.dto.js';
import { ThreadAccess } from './thread-access.js';
import { ThreadShelf } from './thread-shelf.js';
import { ThreadViews } from './thread-views.js';

@Controller('v1/threads')
export class ThreadsController {
  constructor(
    @Inject(ThreadAccess) private readonly access: ThreadAccess,
    @Inject(ThreadShelf) private readonly shelf: ThreadShelf,
    @Inject(ThreadViews) private readonly views: ThreadViews,
  ) {}

  @Post()
  @HttpCode(201)
  async create(@Caller() actor: Actor, @Body() body: unknown): Promise<Result<ThreadSummary>> {
    const asked = parseDto(CreateThreadDto, body);
    if (!asked.ok) return asked;
    const { threadId = randomUUID(), agentId, owner = actor.subject } = asked.value;
    if (!isPrintableId(threadId)) return refuse('INVALID_INPUT', { details: { pointer: '/threadId' } });
    const created = await this.shelf.create(actor, { threadId, agentId, owner });
    return created.ok ? this.read(actor, created.value.threadId) : created;
  }

  @Get()
  async list(@Caller() actor: Actor, @Query() query: unknown) {
    const asked = parseDto(ThreadQueryDto, query);
    if (!asked.ok) return asked;
    const { found, next } = await this.shelf.list(actor, asked.value);
    const items = await Promise.all(found.map((seen) => this.views.summary(seen)));
    return ok({ items, ...(next === undefined ? {} : { nextCursor: String(next) }) });
  }

  @Get(':thread')
  async read(
    @Caller() actor: Actor,
    @Param('thread') threadId: string,
    @Query('surface') surface?: string,
  ): Promise<Result<ThreadSummary>> {
    const seen = await this.access.find(actor, threadId, surface);
    return seen.ok ? ok(await this.views.summary(seen.value)) : seen;
  }

  @Get(':thread/snapshot')
  async snapshot(
    @Caller() actor: Actor,
    @Param('thread') threadId: string,
    @Query('surface') surface?: string,
  ) {
    const seen = await this.access.find(actor, threadId, surface);
    return seen.ok ? ok(await this.views.snapshot(seen.value)) : seen;
  }
}
