/** Takes tokens back: an admin names one, its subject, or a role, and none issued until now is good for it any more. */
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { permit, type Actor } from '@triptych/access';
import type { Log } from '@triptych/platform';
import { LOG, REDIS } from '@triptych/platform/nest';
import { ok, type Result } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import { Caller } from './caller.js';
import { recordDeed } from './record.js';
import { parseRevocation } from './revocation.dto.js';
import { Standing } from './standing.js';

@Controller('v1/revocations')
export class RevocationsController {
  constructor(
    @Inject(Standing) private readonly standing: Standing,
    @Inject(LOG) private readonly log: Log,
    @Inject(REDIS) private readonly redis: Redis,
  ) {}

  @Post()
  @HttpCode(201)
  async revoke(@Caller() actor: Actor, @Body() body: unknown): Promise<Result<{ at: number }>> {
    const { tenant, subject } = actor;
    const allowed = permit(actor, 'revocation.create', { tenant });
    if (!allowed.ok) return allowed;
    const asked = parseRevocation(body);
    if (!asked.ok) return asked;
    const revoked = await this.standing.revoke({ tenant, ...asked.value });
    if (!revoked.ok) return revoked;
    const { by, name, at } = revoked.value;
    this.log.info('token.revoked', { tenant, subject, by, at });
    const told = { subject: {}, after: { by, name, at } };
    await recordDeed(this.redis, actor, { action: 'revocation.create', facts: { tenant }, ...told });
    return ok({ [by]: name, at });
  }
}
