/** The AG-UI endpoints: a RunAgentInput in, a stream of events out. */
import { Controller, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import { encodingFor, httpLine, type StreamLine } from '@triptych/fanout';
import type { Request, Response } from 'express';
import { valueOf } from '../http/refused.js';
import { Caller } from '../identity/caller.js';
import { SESSION_TOOLS, type SessionTools } from '../rooms/session-tools.js';
import { parseHold } from './parse-hold.js';
import { RunDoor } from './run-door.js';

/** HUB-112: CopilotKit's runtime has the same two at a path of its own. */
@Controller(['v1/agents/:agent', 'copilotkit/agent/:agent'])
export class RunController {
  constructor(
    @Inject(RunDoor) private readonly door: RunDoor,
    @Inject(SESSION_TOOLS) private readonly tools: SessionTools,
  ) {}

  @Post('run')
  async run(
    @Caller() actor: Actor,
    @Param('agent') agentId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const holdMs = valueOf(parseHold(request.query.hold));
    const input = valueOf(this.door.parse(request.body));
    const line = this.lineFor(actor, request, response);
    const answered = valueOf(await this.door.run({ actor, agentId, input, holdMs, line }));
    if (answered) response.status(202).json(answered);
  }

  @Post('connect')
  async connect(@Caller() actor: Actor, @Req() request: Request, @Res() response: Response): Promise<void> {
    const input = valueOf(this.door.parse(request.body));
    await this.door.connect({ actor, input, line: this.lineFor(actor, request, response) });
  }

  private lineFor(actor: Actor, { headers }: Request, response: Response): StreamLine {
    const { expiresAt } = actor;
    const line = httpLine({ ...this.tools, response, encoding: encodingFor(headers.accept), expiresAt });
    valueOf(this.tools.doors.addStream(line, actor));
    return line;
  }
}
