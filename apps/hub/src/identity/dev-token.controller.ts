/** Hands out tokens for made-up people in dev mode; elsewhere there is no such door. */
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import type { DevTokens } from '@triptych/access';
import { ok, refuse } from '@triptych/protocol';
import { parseDto } from '../http/parse-dto.js';
import { PublicDoor } from './caller.js';
import { DevTokenDto } from './dev-token.dto.js';
import { DEV_TOKENS } from './tokens.providers.js';

@Controller('v1/dev/token')
export class DevTokenController {
  constructor(@Inject(DEV_TOKENS) private readonly tokens: DevTokens | undefined) {}

  @Post()
  @HttpCode(200)
  @PublicDoor()
  async sign(@Body() body: unknown) {
    if (!this.tokens) return refuse('NOT_FOUND');
    const asked = parseDto(DevTokenDto, body);
    return asked.ok ? ok(await this.tokens.sign(asked.value)) : asked;
  }
}
