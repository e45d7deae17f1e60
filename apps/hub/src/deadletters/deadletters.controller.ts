/** The HTTP door for operators to what could not be delivered. */
import { Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import { DeadLetters } from '@triptych/bridges';
import { REDIS } from '@triptych/platform/nest';
import type { Redis } from 'ioredis';
import { parsePage } from '../approvals/parse-page.js';
import { Caller } from '../identity/caller.js';
import { recordDeed } from '../identity/record.js';

@Controller('v1/deadletters')
export class DeadLettersController {
  constructor(
    @Inject(DeadLetters) private readonly letters: DeadLetters,
    @Inject(REDIS) private readonly redis: Redis,
  ) {}

  @Get()
  list(@Caller() actor: Actor, @Query() query: Record<string, unknown>) {
    const page = parsePage(query);
    return page.ok ? this.letters.list(actor, page.value) : page;
  }

  @Post(':id/resend')
  @HttpCode(200)
  async resend(@Caller() actor: Actor, @Param('id') id: string) {
    const sent = await this.letters.resend(actor, id);
    if (!sent.ok) return sent;
    const { threadId, taskId, destination } = sent.value;
    await recordDeed(this.redis, actor, {
      action: 'deadletter.mend',
      facts: { tenant: actor.tenant },
      subject: { thread: threadId, task: taskId },
      after: { destination },
    });
    return sent;
  }
}
