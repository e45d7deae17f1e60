/** Holds one surface socket from its first frame to its close. */
import {
  CLOSE,
  isStoreAway,
  refusal,
  type CloseReason,
  type Refusal,
  type Result,
  type ServerFrameName,
  type ServerFrames,
  type Surface,
  type ThreadId,
} from '@triptych/protocol';
import type { RawData } from 'ws';
import type { KnownFrame } from '../core/client-frame.js';
import { born, heard, HEARTBEAT_MS, lookAt, renewed, type Act, type Liveness } from '../core/liveness.js';
import { orderKeyOf, readOwnFrame, type HandledFrame } from '../core/own-frames.js';
import type { Clock, Report } from '../core/ports.js';
import {
  malformed,
  newIntake,
  SESSION_LIMITS,
  takeFrame,
  type Intake,
  type SessionLimits,
  type Verdict,
} from '../core/session.js';
import { FrameAnswers, type Answered } from '../shell/frame-answers.js';
import type { Pulse } from '../shell/pulse.js';
import type { Rooms } from '../shell/rooms.js';
import { Subscriptions, type Answer } from '../shell/subscriptions.js';
import { WorkLines } from '../shell/work-lines.js';
import { WsReader, type WsReaderOptions } from './ws-reader.js';

export type FrameHandler = (
  data: Readonly<Record<string, unknown>>,
  session: SocketSession,
) => Promise<Answered<unknown>>;
export type FrameHandlers = Readonly<Record<HandledFrame, FrameHandler>>;

export interface SocketOptions extends Omit<WsReaderOptions, 'onClose'> {
  readonly id: string;
  readonly surface: Surface;
  readonly subject: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
  readonly rooms: Rooms;
  readonly handlers: FrameHandlers;
  readonly mayRead: (thread: ThreadId) => Promise<Result<unknown>>;
  readonly pulse: Pulse;
  readonly clock: Clock;
  readonly report: Report;
  readonly limits?: SessionLimits;
}

/** A peer has this long to answer our good-bye. */
const FAREWELL_MS = 5_000;

export class SocketSession {
  readonly id: string;
  readonly surface: Surface;
  private readonly reader: WsReader;
  private readonly subscriptions: Subscriptions;
  private readonly answers: FrameAnswers;
  private readonly lines: WorkLines;
  private readonly stopBeat: () => void;
  private intake: Intake;
  private life: Liveness;
  /** When we said good-bye; nothing is said after it. */
  private closedAt: number | undefined;

  constructor(private readonly options: SocketOptions) {
    const { rooms, mayRead, clock, report, limits = SESSION_LIMITS } = options;
    this.id = options.id;
    this.surface = options.surface;
    this.reader = new WsReader({ ...options, onClose: (reason) => this.close(reason) });
    const maxThreads = limits.threadsPerSocket;
    this.subscriptions = new Subscriptions({
      rooms,
      surface: this.surface,
      reader: this.reader,
      mayRead,
      maxThreads,
    });
    const handle = (event: HandledFrame, data: KnownFrame['data']) => options.handlers[event](data, this);
    this.answers = new FrameAnswers(this.id, this.subscriptions, { handle, report });
    // Two of the largest frames may wait; more would let one socket fill the memory.
    this.lines = new WorkLines(2 * limits.runFrameBytes);
    this.intake = newIntake(clock.now(), limits);
    this.life = born(clock.now(), options.expiresAt);
    this.stopBeat = options.pulse.add((now) => this.beat(now));
    this.listen(limits);
  }

  get threads(): readonly ThreadId[] {
    return this.subscriptions.threads;
  }

  send<Name extends ServerFrameName>(event: Name, data: ServerFrames[Name]): void {
    this.say({ event, data });
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
    this.life = renewed(this.life, expiresAt);
  }

  close(reason: CloseReason, retryAfterMs?: number): void {
    if (this.closedAt !== undefined) return;
    const { code, next } = CLOSE[reason];
    this.subscriptions.close();
    // What waits for a reader too slow to take it would only delay the end.
    const canHear = this.reader.abandon();
    if (canHear)
      this.send('closing', { code, next, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
    this.closedAt = this.options.clock.now();
    this.options.socket.close(code);
  }

  private listen({
    framesBurst,
    framesPerSecond,
    threadsPerSocket,
    frameBytes,
    runFrameBytes,
  }: SessionLimits): void {
    const { socket, subject } = this.options;
    socket.on('message', (data, isBinary) => this.receive(data, isBinary));
    socket.on('pong', () => (this.life = heard(this.life)));
    socket.on('error', (error) => this.options.report('socket', error));
    socket.on('close', () => this.gone());
    this.send('ready', {
      session: this.id,
      surface: this.surface,
      subject,
      heartbeatMs: HEARTBEAT_MS,
      limits: { framesBurst, framesPerSecond, threadsPerSocket, frameBytes, runFrameBytes },
    });
  }

  private gone(): void {
    this.closedAt ??= this.options.clock.now();
    this.stopBeat();
    this.subscriptions.close();
  }

  private receive(data: RawData, isBinary: boolean): void {
    if (this.closedAt !== undefined) return;
    this.life = heard(this.life);
    const bytes = data as Buffer;
    const received = {
      text: isBinary ? undefined : bytes.toString('utf8'),
      bytes: bytes.length,
      now: this.options.clock.now(),
    };
    const { intake, verdict } = takeFrame(this.intake, received);
    this.intake = intake;
    this.obey(verdict, bytes.length);
  }

  private obey(verdict: Verdict, bytes: number): void {
    if (verdict.do === 'handle') return this.take(verdict.frame, bytes);
    if (verdict.refusal !== undefined) this.refuse(verdict.id, verdict.refusal);
    if (verdict.do === 'close') this.close(verdict.reason);
  }

  private take(frame: KnownFrame, bytes: number): void {
    const read = readOwnFrame(frame);
    if (read.kind === 'fault') {
      const fault = { ...(frame.id !== undefined && { id: frame.id }), pointer: read.pointer };
      const { intake, verdict } = malformed(this.intake, { ...fault, now: this.options.clock.now() });
      this.intake = intake;
      return this.obey(verdict, bytes);
    }
    if (read.kind === 'own' && read.frame.kind === 'ping') this.send('pong', {});
    const work = async (): Promise<void> => {
      if (this.closedAt !== undefined) return;
      const answer =
        read.kind === 'own' ? this.answers.own(read.frame) : this.answers.handled(read.event, frame);
      this.settle(frame.id, await answer);
    };
    if (!this.lines.add(orderKeyOf(frame), bytes, work)) this.refuse(frame.id, refusal('RATE_LIMITED'));
  }

  private settle(id: string | undefined, answer: Answered<Answer>): void {
    if (!answer.ok) this.refuse(id, answer.refusal);
    if (answer.thenClose !== undefined) this.close(answer.thenClose);
    if (!answer.ok) return;
    if (id !== undefined) this.say({ event: 'reply', id, data: answer.value.reply ?? {} });
    // Also when the socket is gone: then it lets go of what was gained.
    answer.value.afterwards?.();
  }

  private refuse(id: string | undefined, no: Refusal): void {
    this.say({ event: 'refused', ...(id !== undefined && { id }), data: no });
  }

  private say(frame: {
    readonly event: ServerFrameName;
    readonly id?: string;
    readonly data: unknown;
  }): void {
    if (this.closedAt === undefined) this.reader.say(JSON.stringify(frame));
  }

  private beat(now: number): void {
    if (this.closedAt !== undefined) {
      if (now - this.closedAt >= FAREWELL_MS) this.options.socket.terminate();
      return;
    }
    const { life, acts } = lookAt(this.life, {
      now,
      unsent: this.reader.unsent(),
      taken: this.reader.taken(),
    });
    this.life = life;
    for (const act of acts) this.act(act);
  }

  private act(act: Act): void {
    switch (act.do) {
      case 'beat':
        for (const head of this.subscriptions.quiet()) this.send('head', head);
        return this.options.socket.ping();
      case 'warn':
        return this.send('auth.expiring', { at: act.at });
      case 'close':
        return this.close(act.reason);
      case 'terminate':
        return this.options.socket.terminate();
    }
  }
}

/** Greets the socket and serves it until it closes. */
export const serveSocket = (options: SocketOptions): SocketSession => new SocketSession(options);
