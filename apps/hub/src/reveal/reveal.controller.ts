/** The door at which a reviewer asks to see what the policy shows them only as redacted. */
import { Body, Controller, HttpCode, Inject, Param, Post } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import { parseDto } from '../http/parse-dto.js';
import { Caller } from '../identity/caller.js';
import { RevealDesk } from './reveal-desk.js';
import { RevealDto } from './reveal.dto.js';

@Controller('v1/threads/:thread/reveal')
export class RevealController {
  constructor(@Inject(RevealDesk) private readonly desk: RevealDesk) {}

  @Post()
  @HttpCode(200)
  async reveal(@Caller() actor: Actor, @Param('thread') threadId: string, @Body() body: unknown) {
    const asked = parseDto(RevealDto, body);
    return asked.ok ? this.desk.reveal(actor, threadId, asked.value) : asked;
  }
}
