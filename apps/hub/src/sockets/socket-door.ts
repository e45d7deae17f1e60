/** Lets an authenticated socket in: gives it a session and remembers who holds it. */
import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { serveSocket, type FrameHandlers } from '@triptych/fanout';
import type { WebSocket } from 'ws';
import { ThreadAccess } from '../threads/thread-access.js';
import { FrameDesk } from './frame-desk.js';
import { RightsDesk } from './rights-desk.js';
import { SESSION_TOOLS, type SessionTools } from '../rooms/session-tools.js';
import type { OpenSession } from '../rooms/sessions.js';
import type { AdmittedRequest } from './surface-adapter.js';
import type { Admitted } from './upgrade-judge.js';

@Injectable()
export class SocketDoor {
  private readonly handlers: FrameHandlers;

  constructor(
    @Inject(SESSION_TOOLS) private readonly tools: SessionTools,
    @Inject(FrameDesk) frames: FrameDesk,
    @Inject(ThreadAccess) private readonly access: ThreadAccess,
    @Inject(RightsDesk) private readonly rights: RightsDesk,
  ) {
    this.handlers = frames.handlersFor((session) => rights.entryOf(session));
  }

  open(socket: WebSocket, request: AdmittedRequest): void {
    const { actor, surface, words } = request.admitted as Admitted;
    const session = serveSocket({
      ...this.tools,
      socket,
      raw: request.socket,
      id: randomUUID(),
      surface,
      words,
      subject: actor.subject,
      expiresAt: actor.expiresAt,
      handlers: this.handlers,
      mayRead: (thread) => this.access.find(entry.actor, thread, surface),
      beforeShown: (threadId) =>
        this.tools.noteReading(entry.actor, { threadId, surface, after: { live: true } }),
    });
    const entry: OpenSession = { actor, surface, session };
    socket.on('close', this.rights.add(entry));
  }
}
