/** The HTTP door of threads: create, list, read. */
import { randomUUID } from 'node:crypto';
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { surfaceFor, type Actor } from '@triptych/access';
import { HUB_SECRET } from '@triptych/assembly/nest';
import { ok, refuse, type Result, type ThreadSummary } from '@triptych/protocol';
import { Caller } from '../identity/caller.js';
import { parseDto } from '../http/parse-dto.js';
import { parseThreadId } from '../http/parse-ids.js';
import { openCursor, sealCursor } from '../http/sealed-cursor.js';
import { CreateThreadDto, ThreadQueryDto } from './thread.dto.js';
import { ThreadAccess } from './thread-access.js';
import { ThreadShelf } from './thread-shelf.js';
import { ThreadViews } from './thread-views.js';

type NewThread = Pick<ThreadSummary, 'threadId' | 'agentId' | 'owner' | 'status' | 'updatedAt'>;

const newThread = ({ threadId, agentId, owner, status, updatedAt }: NewThread): NewThread => ({
  ...{ threadId, agentId, owner, status, updatedAt },
});

@Controller('v1/threads')
export class ThreadsController {
  constructor(
    @Inject(ThreadAccess) private readonly access: ThreadAccess,
    @Inject(ThreadShelf) private readonly shelf: ThreadShelf,
    @Inject(ThreadViews) private readonly views: ThreadViews,
    @Inject(HUB_SECRET) private readonly secret: Buffer,
  ) {}

  @Post()
  @HttpCode(201)
  async create(@Caller() actor: Actor, @Body() body: unknown): Promise<Result<ThreadSummary | NewThread>> {
    const asked = parseDto(CreateThreadDto, body);
    if (!asked.ok) return asked;
    const { threadId = randomUUID(), agentId, owner = actor.subject } = asked.value;
    const id = parseThreadId(threadId);
    if (!id.ok) return id;
    const created = await this.shelf.create(actor, { threadId: id.value, agentId, owner });
    if (!created.ok) return created;
    // Agents and admins create what they have no view of.
    return surfaceFor(actor, { owner: created.value.owner })
      ? this.read(actor, created.value.threadId)
      : ok(newThread(created.value));
  }

  @Get()
  async list(@Caller() actor: Actor, @Query() query: unknown) {
    const asked = parseDto(ThreadQueryDto, query);
    if (!asked.ok) return asked;
    const { cursor: given, ...wanted } = asked.value;
    const cursor = given === undefined ? undefined : openCursor(this.secret, given);
    if (given !== undefined && cursor === undefined)
      return refuse('INVALID_INPUT', { details: { pointer: '/cursor' } });
    const page = await this.shelf.list(actor, cursor === undefined ? wanted : { ...wanted, cursor });
    if (!page.ok) return page;
    const { found, next } = page.value;
    const items = await Promise.all(found.map((seen) => this.views.summary(seen)));
    return ok(next === undefined ? { items } : { items, nextCursor: sealCursor(this.secret, next) });
  }

  @Get(':thread')
  async read(
    @Caller() actor: Actor,
    @Param('thread') threadId: string,
    @Query('surface') surface?: unknown,
  ): Promise<Result<ThreadSummary>> {
    const seen = await this.access.find(actor, threadId, surface);
    return seen.ok ? ok(await this.views.summary(seen.value)) : seen;
  }
}
