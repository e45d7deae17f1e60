/** Counts the open sockets of this instance by the door they came through. */
import { Inject, Injectable } from '@nestjs/common';
import { PlainSockets } from '../agui/plain-sockets.js';
import { AgentSockets } from '../rooms/agent-sockets.js';
import { Sessions } from '../rooms/sessions.js';

@Injectable()
export class OpenSockets {
  constructor(
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(PlainSockets) private readonly plain: PlainSockets,
    @Inject(AgentSockets) private readonly agents: AgentSockets,
  ) {}

  byDoor(): Readonly<Record<string, number>> {
    return { ...this.sessions.bySurface(), agui: this.plain.size, agent: this.agents.size };
  }
}
