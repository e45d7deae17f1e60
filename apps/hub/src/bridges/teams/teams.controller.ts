/** The HTTP door of Teams: everything it has to say comes in here. */
import { Body, Controller, Headers, HttpCode, Inject, Post } from '@nestjs/common';
import { PublicDoor } from '../../identity/caller.js';
import { TeamsDoor } from './teams-door.js';

@Controller('v1/bridges/teams')
@PublicDoor()
export class TeamsController {
  constructor(@Inject(TeamsDoor) private readonly door: TeamsDoor) {}

  @Post('messages')
  @HttpCode(200)
  hear(@Headers('authorization') authorization: string | undefined, @Body() body: unknown) {
    return this.door.hear(authorization, Buffer.isBuffer(body) ? body : Buffer.alloc(0));
  }
}
