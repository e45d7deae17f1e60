/** The frame loop of every socket: what comes is bounded and answered in order, what is wrong is refused, who must go is told why. */
import { CLOSE, refusal, type CloseReason, type Refusal } from '@triptych/protocol';
import type { RawData } from 'ws';
import type { KnownFrame } from '../core/client-frame.js';
import { born, heard, lookAt, renewed, type Act, type Liveness } from '../core/liveness.js';
import { orderKeyOf } from '../core/own-frames.js';
import type { Clock, Report } from '../core/ports.js';
import { refusalInFrame } from '../core/refusal-in-frame.js';
import type { Said } from '../core/said.js';
import {
  malformed,
  newIntake,
  takeFrame,
  takeUnread,
  type Intake,
  type SessionLimits,
  type Verdict,
} from '../core/session.js';
import type { Answered } from '../shell/frame-answers.js';
import type { Pulse } from '../shell/pulse.js';
import type { Answer } from '../shell/subscriptions.js';
import { WorkLines } from '../shell/work-lines.js';
import { WsReader, type WsReaderOptions } from './ws-reader.js';

export interface LineOptions extends Omit<WsReaderOptions, 'onClose'> {
  readonly id: string;
  readonly subject: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
  readonly pulse: Pulse;
  readonly clock: Clock;
  readonly report: Report;
}

/** What is to be done for a frame, or where in it something is not what it must be. The work never rejects. */
export type Asked =
  | { readonly work: () => Promise<Answered<Answer>> }
  /** JSON Pointer into the frame. */
  | { readonly fault: string };

/** What a session takes, and what it makes of its frames. */
export interface Served {
  readonly limits: SessionLimits;
  /** Names of the frames this socket may send. */
  readonly names: ReadonlySet<string>;
  readonly read: (frame: KnownFrame) => Asked;
  readonly onBeat?: () => void;
  /** Nothing is said any more; it may come twice. */
  readonly onLeave?: () => void;
}

/** A peer has this long to answer our good-bye. */
const FAREWELL_MS = 5_000;

export class FrameLoop {
  readonly reader: WsReader;
  private readonly lines: WorkLines;
  private intake: Intake;
  private life: Liveness;
  /** When we said good-bye; nothing is said after it. */
  private closedAt: number | undefined;

  constructor(
    private readonly options: LineOptions,
    private readonly served: Served,
  ) {
    const { clock, expiresAt } = options;
    const { limits, names } = served;
    this.reader = new WsReader({ ...options, onClose: (reason) => this.close(reason) });
    // Two of the largest frames may wait; more would let one socket fill the memory.
    this.lines = new WorkLines(2 * limits.runFrameBytes);
    this.intake = newIntake(clock.now(), limits, names);
    this.life = born(clock.now(), expiresAt);
    this.listen();
  }

  send(event: string, data: unknown): void {
    this.say({ event, data });
  }

  /** The same words as others are told. */
  tell(said: Said): void {
    if (this.closedAt === undefined) this.reader.tell(said);
  }

  /** A new token was accepted. */
  renew(expiresAt: number): void {
    this.life = renewed(this.life, expiresAt);
  }

  close(reason: CloseReason, retryAfterMs?: number): void {
    if (this.closedAt !== undefined) return;
    const { code, next } = CLOSE[reason];
    this.served.onLeave?.();
    // What waits for a reader too slow to take it would only delay the end.
    const canHear = this.reader.abandon();
    if (canHear)
      this.send('closing', { code, next, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
    this.closedAt = this.options.clock.now();
    this.options.socket.close(code);
  }

  private listen(): void {
    const { socket, pulse, clock } = this.options;
    const stopBeat = pulse.add((now) => this.beat(now));
    socket.on('message', (data, isBinary) => this.receive(data, isBinary));
    socket.on('ping', (data) => this.pinged(data.length));
    socket.on('pong', () => (this.life = heard(this.life)));
    socket.on('close', () => {
      this.closedAt ??= clock.now();
      stopBeat();
      this.served.onLeave?.();
    });
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

  /** The library has answered it; nobody may make it answer without end. */
  private pinged(bytes: number): void {
    const { intake, over } = takeUnread(this.intake, { bytes, now: this.options.clock.now() });
    this.intake = intake;
    if (over) this.close('TOO_FAST');
  }

  private obey(verdict: Verdict, bytes: number): void {
    if (verdict.do === 'handle') return this.take(verdict.frame, bytes);
    if (verdict.refusal !== undefined) this.refuse(verdict.id, verdict.refusal);
    if (verdict.do === 'close') this.close(verdict.reason);
  }

  private take(frame: KnownFrame, bytes: number): void {
    const asked = this.served.read(frame);
    if ('fault' in asked) return this.blame(frame, asked.fault, bytes);
    if (frame.event === 'ping') this.send('pong', {});
    const work = async (): Promise<void> => {
      if (this.closedAt === undefined) this.settle(frame.id, await asked.work());
    };
    if (!this.lines.add(orderKeyOf(frame), bytes, work)) this.refuse(frame.id, refusal('RATE_LIMITED'));
  }

  private blame({ id }: KnownFrame, pointer: string, bytes: number): void {
    const fault = { ...(id !== undefined && { id }), pointer, now: this.options.clock.now() };
    const { intake, verdict } = malformed(this.intake, fault);
    this.intake = intake;
    this.obey(verdict, bytes);
  }

  private settle(id: string | undefined, answer: Answered<Answer>): void {
    if (!answer.ok) this.refuse(id, refusalInFrame(answer.refusal));
    if (answer.thenClose !== undefined) this.close(answer.thenClose);
    if (!answer.ok) return;
    if (id !== undefined) this.say({ event: 'reply', id, data: answer.value.reply ?? {} });
    // Also when the socket is gone: then it lets go of what was gained.
    answer.value.afterwards?.();
  }

  private refuse(id: string | undefined, no: Refusal): void {
    this.say({ event: 'refused', ...(id !== undefined && { id }), data: no });
  }

  private say(frame: { readonly event: string; readonly id?: string; readonly data: unknown }): void {
    if (this.closedAt === undefined) this.reader.say(JSON.stringify(frame));
  }

  private beat(now: number): void {
    if (this.closedAt !== undefined) {
      if (now - this.closedAt >= FAREWELL_MS) this.options.socket.terminate();
      return;
    }
    const look = { now, unsent: this.reader.unsent(), taken: this.reader.taken() };
    const { life, acts } = lookAt(this.life, look);
    this.life = life;
    for (const act of acts) this.act(act);
  }

  private act(act: Act): void {
    switch (act.do) {
      case 'beat':
        this.served.onBeat?.();
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
