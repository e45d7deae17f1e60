/** The operator's door to how the house is. */
import { Controller, Get, Inject } from '@nestjs/common';
import { can, type Actor } from '@triptych/access';
import { ok, refuse } from '@triptych/protocol';
import { Caller } from '../identity/caller.js';
import { House } from './house.js';

@Controller('v1/health')
export class HouseController {
  constructor(@Inject(House) private readonly house: House) {}

  @Get()
  async read(@Caller() actor: Actor) {
    if (!can(actor, 'house.read', { tenant: actor.tenant })) return refuse('FORBIDDEN');
    return ok(await this.house.standing(actor.tenant));
  }
}
