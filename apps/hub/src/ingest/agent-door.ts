/** Lets the socket of an agent that comes by itself in, and remembers it while it is open. */
import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { serveAgent } from '@triptych/fanout';
import type { Settings } from '@triptych/platform';
import { SETTINGS } from '@triptych/platform/nest';
import type { WebSocket } from 'ws';
import { SESSION_TOOLS, type SessionTools } from '../rooms/session-tools.js';
import { AgentFrames } from './agent-frames.js';
import { AgentSockets, type OpenAgent } from '../rooms/agent-sockets.js';
import type { AdmittedAgent } from './agent-upgrade.js';

/** A list of events, a position around each, and room for the judge to say itself that one is too deep. */
const MORE_LEVELS = 4;

@Injectable()
export class AgentDoor {
  constructor(
    @Inject(SESSION_TOOLS) private readonly tools: SessionTools,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(AgentFrames) private readonly frames: AgentFrames,
    @Inject(AgentSockets) private readonly sockets: AgentSockets,
  ) {}

  open(socket: WebSocket, { actor }: AdmittedAgent): void {
    const { limits } = this.settings;
    const frameBytes = limits.agentFrameBytes;
    const session = serveAgent({
      ...this.tools,
      socket,
      id: randomUUID(),
      subject: actor.subject,
      expiresAt: actor.expiresAt,
      answer: (frame) => this.frames.answer(open, frame),
      limits: { ...limits, frameBytes, runFrameBytes: frameBytes, depth: limits.depth + MORE_LEVELS },
    });
    const open: OpenAgent = { actor, session, threads: new Set() };
    this.sockets.add(open);
    socket.once('close', () => this.sockets.remove(open));
    const leave = this.tools.doors.add({
      kind: 'socket',
      get actor() {
        return open.actor;
      },
      // An agent has no other role.
      narrow: () => session.close('FORBIDDEN'),
      close: (reason) => session.close(reason),
    });
    socket.once('close', leave);
  }
}
