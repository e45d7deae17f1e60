/** The HTTP door to what a surface shows of a thread now, and an operator of what it was. */
import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { permit, type Actor } from '@triptych/access';
import { ok } from '@triptych/protocol';
import { parseDto } from '../http/parse-dto.js';
import { parseProfile } from '../http/parse-profile.js';
import { Caller } from '../identity/caller.js';
import { SESSION_TOOLS, type SessionTools } from '../rooms/session-tools.js';
import { SnapshotQueryDto } from './thread.dto.js';
import { ThreadAccess } from './thread-access.js';
import { ThreadViews } from './thread-views.js';

@Controller('v1/threads/:thread/snapshot')
export class SnapshotController {
  constructor(
    @Inject(ThreadAccess) private readonly access: ThreadAccess,
    @Inject(ThreadViews) private readonly views: ThreadViews,
    @Inject(SESSION_TOOLS) private readonly tools: SessionTools,
  ) {}

  @Get()
  async snapshot(@Caller() actor: Actor, @Param('thread') threadId: string, @Query() query: unknown) {
    const asked = parseDto(SnapshotQueryDto, query);
    if (!asked.ok) return asked;
    const { surface, profile, at } = asked.value;
    const words = parseProfile(profile);
    if (!words.ok) return words;
    const seen = await this.access.find(actor, threadId, surface);
    if (!seen.ok) return seen;
    const { thread, surface: shown } = seen.value;
    if (at !== undefined) {
      const allowed = permit(actor, 'log.read', await this.access.facts(actor, thread));
      if (!allowed.ok) return allowed;
    }
    const after = { snapshot: true, ...(at === undefined ? {} : { at }) };
    await this.tools.noteReading(actor, { threadId: thread.threadId, surface: shown, after });
    return at === undefined
      ? ok(await this.views.snapshot(seen.value, words.value?.()))
      : this.views.snapshotAt(seen.value, at, words.value?.());
  }
}
