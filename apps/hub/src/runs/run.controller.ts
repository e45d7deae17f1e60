/** The AG-UI endpoints: a RunAgentInput in, a stream of events out. */
import { Body, Controller, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import type { Request, Response } from 'express';
import { Refused } from '../http/refused.js';
import { Caller } from '../identity/caller.js';
import { RunDoor } from './run-door.js';

@Controller('v1/agents/:agent')
export class RunController {
  constructor(@Inject(RunDoor) private readonly door: RunDoor) {}

  @Post('run')
  async run(
    @Caller() actor: Actor,
    @Param('agent') agentId: string,
    @Req() { body, query }: Request,
    @Res() response: Response,
  ): Promise<void> {
    const answer = await this.door.run({ actor, agentId, body, response, hold: query.hold });
    if (!answer.ok) throw new Refused(answer.refusal);
    if (answer.value) response.status(202).json(answer.value);
  }

  @Post('connect')
  async connect(@Caller() actor: Actor, @Body() body: unknown, @Res() response: Response): Promise<void> {
    const answer = await this.door.connect({ actor, body, response });
    if (!answer.ok) throw new Refused(answer.refusal);
  }
}
