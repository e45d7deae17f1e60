/** Holds one surface socket from its first frame to its close. */
import {
  isStoreAway,
  type CloseReason,
  type Result,
  type ServerFrameName,
  type ServerFrames,
  type Surface,
  type ThreadId,
} from '@triptych/protocol';
import { SURFACE_FRAMES, type KnownFrame } from '../core/client-frame.js';
import { HEARTBEAT_MS } from '../core/liveness.js';
import { readOwnFrame, type HandledFrame } from '../core/own-frames.js';
import type { Said } from '../core/said.js';
import { SESSION_LIMITS, type SessionLimits } from '../core/session.js';
import { FrameAnswers, type Answered } from '../shell/frame-answers.js';
import type { Rooms } from '../shell/rooms.js';
import { Subscriptions } from '../shell/subscriptions.js';
import { FrameLoop, type Asked, type LineOptions } from './frame-loop.js';

export type FrameHandler = (
  data: Readonly<Record<string, unknown>>,
  session: SocketSession,
  /** The frame's own. */
  id?: string,
) => Promise<Answered<unknown>>;
export type FrameHandlers = Readonly<Record<HandledFrame, FrameHandler>>;

export interface SocketOptions extends LineOptions {
  readonly surface: Surface;
  readonly rooms: Rooms;
  readonly handlers: FrameHandlers;
  readonly mayRead: (thread: ThreadId) => Promise<Result<unknown>>;
  readonly beforeShown?: (thread: ThreadId) => Promise<void>;
  readonly limits?: SessionLimits;
}

export class SocketSession {
  readonly id: string;
  readonly surface: Surface;
  private readonly loop: FrameLoop;
  private readonly subscriptions: Subscriptions;
  private readonly answers: FrameAnswers;

  constructor(private readonly options: SocketOptions) {
    const { id, surface, rooms, mayRead, beforeShown, report, limits = SESSION_LIMITS } = options;
    this.id = id;
    this.surface = surface;
    this.loop = new FrameLoop(options, {
      limits,
      names: SURFACE_FRAMES,
      read: (frame) => this.read(frame),
      onBeat: () => this.tellQuiet(),
      onLeave: () => this.subscriptions.close(),
    });
    const { reader } = this.loop;
    const maxThreads = limits.threadsPerSocket;
    this.subscriptions = new Subscriptions({
      ...{ rooms, surface, reader, mayRead, maxThreads },
      ...(beforeShown ? { beforeShown } : {}),
    });
    const handle = (event: HandledFrame, { data, id: frame }: KnownFrame) =>
      options.handlers[event](data, this, frame);
    this.answers = new FrameAnswers(id, this.subscriptions, { handle, report });
    this.greet(limits);
  }

  get threads(): readonly ThreadId[] {
    return this.subscriptions.threads;
  }

  send<Name extends ServerFrameName>(event: Name, data: ServerFrames[Name]): void {
    this.loop.send(event, data);
  }

  /** The same words as others are told. */
  tell(said: Said): void {
    this.loop.tell(said);
  }

  /** What its holder may read may have changed. Nothing is shown on an old judgement: if there is no new one, it closes. */
  async judge(): Promise<void> {
    try {
      for (const lost of await this.subscriptions.judge()) this.send('unsubscribed', lost);
    } catch (error) {
      if (!isStoreAway(error)) this.options.report('judge', error);
      this.close('STORE_AWAY');
    }
  }

  /** A new token was accepted. */
  renew(expiresAt: number): void {
    this.loop.renew(expiresAt);
  }

  close(reason: CloseReason, retryAfterMs?: number): void {
    this.loop.close(reason, retryAfterMs);
  }

  private greet(limits: SessionLimits): void {
    const { framesBurst, framesPerSecond, threadsPerSocket, frameBytes, runFrameBytes } = limits;
    this.send('ready', {
      session: this.id,
      surface: this.surface,
      subject: this.options.subject,
      heartbeatMs: HEARTBEAT_MS,
      limits: { framesBurst, framesPerSecond, threadsPerSocket, frameBytes, runFrameBytes },
    });
  }

  private read(frame: KnownFrame): Asked {
    const read = readOwnFrame(frame);
    switch (read.kind) {
      case 'fault':
        return { fault: read.pointer };
      case 'own':
        return { work: () => this.answers.own(read.frame) };
      case 'handled':
        return { work: () => this.answers.handled(read.event, frame) };
    }
  }

  private tellQuiet(): void {
    for (const head of this.subscriptions.quiet()) this.send('head', head);
  }
}

/** Greets the socket and serves it until it closes. */
export const serveSocket = (options: SocketOptions): SocketSession => new SocketSession(options);
