/** The HTTP door by which a run is given more time. */
import { Body, Controller, HttpCode, Inject, Param, Post } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import { Caller } from '../identity/caller.js';
import { RunExtend, type RunPath } from './run-extend.js';

@Controller('v1/threads/:thread/runs/:run')
export class RunExtendController {
  constructor(@Inject(RunExtend) private readonly desk: RunExtend) {}

  @Post('extend')
  @HttpCode(200)
  extend(@Caller() actor: Actor, @Param() path: RunPath, @Body() body: unknown) {
    return this.desk.extend(actor, path, body);
  }
}
