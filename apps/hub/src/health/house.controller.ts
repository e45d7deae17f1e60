/** The operator's door to how the house is. */
import { Controller, Get, Inject } from '@nestjs/common';
import { permit, type Actor } from '@triptych/access';
import { ok } from '@triptych/protocol';
import { Caller } from '../identity/caller.js';
import { House } from './house.js';

@Controller('v1/health')
export class HouseController {
  constructor(@Inject(House) private readonly house: House) {}

  @Get()
  async read(@Caller() actor: Actor) {
    const allowed = permit(actor, 'house.read', { tenant: actor.tenant });
    if (!allowed.ok) return allowed;
    return ok(await this.house.standing(actor.tenant));
  }
}
