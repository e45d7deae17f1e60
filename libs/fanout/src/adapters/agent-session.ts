/** Holds the socket of an agent that comes by itself, from its first frame to its close. */
import {
  AGENT_FRAMES,
  CLOSE,
  refusal,
  type AgentFrameName,
  type CloseReason,
  type Refusal,
} from '@triptych/protocol';
import type { RawData, WebSocket } from 'ws';
import { born, heard, HEARTBEAT_MS, lookAt, renewed, type Act, type Liveness } from '../core/liveness.js';
import { orderKeyOf } from '../core/own-frames.js';
import type { Clock, Report } from '../core/ports.js';
import { newIntake, takeFrame, type Intake, type SessionLimits, type Verdict } from '../core/session.js';
import type { Answered } from '../shell/frame-answers.js';
import type { Pulse } from '../shell/pulse.js';
import { WorkLines } from '../shell/work-lines.js';
import { WsReader } from './ws-reader.js';

export interface AgentFrame {
  readonly event: AgentFrameName;
  readonly data: Readonly<Record<string, unknown>>;
  /** As it came: events are stored as they were written. */
  readonly text: string;
}

export interface AgentSocketOptions {
  readonly socket: WebSocket;
  readonly id: string;
  readonly subject: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
  /** Never rejects. */
  readonly answer: (frame: AgentFrame) => Promise<Answered<unknown>>;
  readonly pulse: Pulse;
  readonly clock: Clock;
  readonly report: Report;
  readonly limits: SessionLimits;
}

/** A peer has this long to answer our good-bye. */
const FAREWELL_MS = 5_000;
const NAMES: ReadonlySet<string> = new Set(AGENT_FRAMES);

export class AgentSession {
  readonly id: string;
  private readonly writer: WsReader;
  private readonly lines: WorkLines;
  private intake: Intake;
  private life: Liveness;
  /** When we said good-bye; nothing is said after it. */
  private closedAt: number | undefined;

  constructor(private readonly options: AgentSocketOptions) {
    const { socket, clock, limits, expiresAt, pulse, subject, report } = options;
    this.id = options.id;
    this.writer = new WsReader({ socket, onClose: (reason) => this.close(reason) });
    this.lines = new WorkLines(2 * limits.frameBytes);
    this.intake = newIntake(clock.now(), limits, NAMES);
    this.life = born(clock.now(), expiresAt);
    const stop = pulse.add((now) => this.beat(now));
    socket.on('message', (data, isBinary) => this.receive(data, isBinary));
    socket.on('pong', () => (this.life = heard(this.life)));
    socket.on('error', (error) => report('agent-socket', error));
    socket.on('close', () => {
      this.closedAt ??= clock.now();
      stop();
    });
    const { framesBurst, framesPerSecond, frameBytes } = limits;
    const told = { framesBurst, framesPerSecond, frameBytes };
    this.send('ready', { session: this.id, subject, heartbeatMs: HEARTBEAT_MS, limits: told });
  }

  get isOpen(): boolean {
    return this.closedAt === undefined;
  }

  send(event: string, data: unknown): void {
    this.say({ event, data });
  }

  /** A new token was accepted. */
  renew(expiresAt: number): void {
    this.life = renewed(this.life, expiresAt);
  }

  close(reason: CloseReason): void {
    if (this.closedAt !== undefined) return;
    const { code, next } = CLOSE[reason];
    if (this.writer.abandon()) this.send('closing', { code, next });
    this.closedAt = this.options.clock.now();
    this.options.socket.close(code);
  }

  private receive(data: RawData, isBinary: boolean): void {
    if (this.closedAt !== undefined) return;
    this.life = heard(this.life);
    const bytes = data as Buffer;
    const text = isBinary ? undefined : bytes.toString('utf8');
    const received = { text, bytes: bytes.length, now: this.options.clock.now() };
    const { intake, verdict } = takeFrame(this.intake, received);
    this.intake = intake;
    this.obey(verdict, bytes.length);
  }

  private obey(verdict: Verdict, bytes: number): void {
    if (verdict.do !== 'handle') {
      if (verdict.refusal !== undefined) this.refuse(verdict.id, verdict.refusal);
      if (verdict.do === 'close') this.close(verdict.reason);
      return;
    }
    const { id, data, text } = verdict.frame;
    const event = verdict.frame.event as string as AgentFrameName;
    if (event === 'ping') this.send('pong', {});
    const work = async (): Promise<void> => {
      if (this.closedAt === undefined) this.settle(id, await this.options.answer({ event, data, text }));
    };
    if (!this.lines.add(orderKeyOf(verdict.frame), bytes, work)) this.refuse(id, refusal('RATE_LIMITED'));
  }

  private settle(id: string | undefined, answer: Answered<unknown>): void {
    if (!answer.ok) this.refuse(id, answer.refusal);
    else if (id !== undefined) this.say({ event: 'reply', id, data: answer.value ?? {} });
    if (answer.thenClose !== undefined) this.close(answer.thenClose);
  }

  private refuse(id: string | undefined, no: Refusal): void {
    this.say({ event: 'refused', ...(id !== undefined && { id }), data: no });
  }

  private say(frame: { readonly event: string; readonly id?: string; readonly data: unknown }): void {
    if (this.closedAt === undefined) this.writer.say(JSON.stringify(frame));
  }

  private beat(now: number): void {
    if (this.closedAt !== undefined) {
      if (now - this.closedAt >= FAREWELL_MS) this.options.socket.terminate();
      return;
    }
    const look = { now, unsent: this.writer.unsent(), taken: this.writer.taken() };
    const { life, acts } = lookAt(this.life, look);
    this.life = life;
    for (const act of acts) this.act(act);
  }

  private act(act: Act): void {
    const { socket } = this.options;
    if (act.do === 'beat') socket.ping();
    else if (act.do === 'warn') this.send('auth.expiring', { at: act.at });
    else if (act.do === 'close') this.close(act.reason);
    else socket.terminate();
  }
}

/** Greets the socket and serves it until it closes. */
export const serveAgent = (options: AgentSocketOptions): AgentSession => new AgentSession(options);
