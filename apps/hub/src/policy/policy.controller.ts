/** Tells which policy this hub shows and decides by, and what is wrong with the file where that says something else. */
import { Controller, Get, Inject } from '@nestjs/common';
import { permit, type Actor } from '@triptych/access';
import { POLICY, type PolicySource } from '@triptych/assembly/nest';
import { ok } from '@triptych/protocol';
import { Caller } from '../identity/caller.js';

@Controller('v1/policy')
export class PolicyController {
  constructor(@Inject(POLICY) private readonly policy: PolicySource) {}

  @Get()
  read(@Caller() actor: Actor) {
    const allowed = permit(actor, 'policy.read', { tenant: actor.tenant });
    if (!allowed.ok) return allowed;
    const refused = this.policy.refused();
    return ok({ version: this.policy.current().version, ...(refused ? { refused } : {}) });
  }
}
