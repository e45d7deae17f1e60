/** Lets an authenticated socket in: gives it a session and remembers who holds it. */
import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { serveSocket } from '@triptych/fanout';
import type { WebSocket } from 'ws';
import { ThreadAccess } from '../threads/thread-access.js';
import { FrameDesk } from './frame-desk.js';
import { SESSION_TOOLS, type SessionTools } from '../rooms/session-tools.js';
import { type OpenSession, Sessions } from '../rooms/sessions.js';
import type { AdmittedRequest } from './surface-adapter.js';
import type { Admitted } from './upgrade-judge.js';

@Injectable()
export class SocketDoor {
  constructor(
    @Inject(SESSION_TOOLS) private readonly tools: SessionTools,
    @Inject(FrameDesk) private readonly frames: FrameDesk,
    @Inject(ThreadAccess) private readonly access: ThreadAccess,
    @Inject(Sessions) private readonly sessions: Sessions,
  ) {}

  open(socket: WebSocket, request: AdmittedRequest): void {
    const { actor, surface } = request.admitted as Admitted;
    // The handlers need the session and the session its handlers: the entry is where they meet.
    const entry: { actor: Admitted['actor']; opened?: OpenSession } = { actor };
    const current = (): OpenSession => {
      if (!entry.opened) throw new Error('a frame before its session');
      return entry.opened;
    };
    const session = serveSocket({
      ...this.tools,
      socket,
      raw: request.socket,
      id: randomUUID(),
      surface,
      subject: actor.subject,
      expiresAt: actor.expiresAt,
      handlers: this.frames.handlersFor(current),
      mayRead: (thread) => this.access.find(current().actor, thread, surface),
    });
    entry.opened = { actor, surface, session };
    this.sessions.add(entry.opened);
    socket.once('close', () => this.sessions.remove(current()));
  }
}
