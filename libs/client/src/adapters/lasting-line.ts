/** Keeps a line to the hub: connects, waits, connects again, until it is stopped or there is no point. */
import type { ReadyData, ServerFrame, Surface } from '@triptych/protocol';
import {
  afterLoss,
  afterTold,
  isSteady,
  isWorthAsking,
  NO_STREAK,
  wantsFreshToken,
  type ConnectionState,
  type Loss,
  type Streak,
} from '../core/connection.js';
import { SignedOut } from '../core/signed-out.js';
import type { Clock } from './clock.js';
import { SocketLine, type SocketConstructor } from './socket-line.js';
import type { TokenSource } from './token-source.js';
import { onWake } from './wake-ups.js';
import type { WhyNot } from './why-not.js';

/** A token source that takes longer has lost its own connection, ms. */
const TOKEN_WITHIN_MS = 30_000;
const LOST_WITHOUT_CODE = 1006;

export interface LastingLineOptions {
  /** Where the surface's door is. */
  readonly door: string;
  readonly Socket: SocketConstructor;
  readonly getToken: TokenSource;
  readonly clock: Clock;
  readonly random: () => number;
  /** Where a platform keeps to itself why a socket did not open. */
  readonly whyNot?: WhyNot | undefined;
}

export interface LineEvents {
  moved(state: ConnectionState): void;
  frame(frame: ServerFrame): void;
}

/** `http(s)://host[/path]` or `ws(s)://host[/path]` as the address of a surface's socket; throws when it is no address. */
export const doorOf = (url: string, surface: Surface): string => {
  const at = new URL(url);
  at.protocol = at.protocol.replace(/^http/u, 'ws');
  if (!/^wss?:$/u.test(at.protocol)) throw new TypeError(`Not an address of a hub: ${url}`);
  return `${at.origin}${at.pathname.replace(/\/$/u, '')}/ws/${surface}`;
};

export class LastingLine {
  private current: ConnectionState = { state: 'closed', reason: 'stopped' };
  private streak: Streak = NO_STREAK;
  private socket: SocketLine | undefined;
  /** Counts the attempts: what an earlier one still brings means nothing. */
  private turn = 0;
  private readySince: number | undefined;
  private stopTimer: () => void = () => undefined;
  private stopWaking: () => void = () => undefined;

  constructor(
    private readonly options: LastingLineOptions,
    private readonly events: LineEvents,
  ) {}

  get state(): ConnectionState {
    return this.current;
  }

  start(): void {
    if (this.current.state !== 'closed') return;
    this.streak = NO_STREAK;
    this.stopWaking = onWake(() => this.wake());
    this.connect();
  }

  stop(): void {
    this.end({ state: 'closed', reason: 'stopped' });
  }

  /** Tries now instead of later; a line that seems well proves that it is. */
  wake(): void {
    if (this.current.state === 'waiting') this.connect();
    else if (this.current.state === 'ready') this.socket?.check();
  }

  send(text: string): void {
    if (this.current.state === 'ready') this.socket?.send(text);
  }

  /** A token for the line as it is now; none when it went in the meantime, or there is none to be had. */
  async renewedToken(): Promise<string | undefined> {
    const { turn } = this;
    try {
      const token = await this.token(true);
      return turn === this.turn ? token : undefined;
    } catch (problem) {
      if (turn === this.turn && problem instanceof SignedOut)
        this.end({ state: 'closed', reason: 'signed-out' });
      return undefined;
    }
  }

  private connect(): void {
    const turn = ++this.turn;
    this.stopTimer();
    this.move({ state: 'connecting', attempt: this.streak.attempt });
    if (turn !== this.turn) return;
    this.stopTimer = this.options.clock.later(TOKEN_WITHIN_MS, () => this.tokenMissing(turn, undefined));
    this.token(wantsFreshToken(this.streak)).then(
      (token) => this.open(turn, token),
      (problem: unknown) => this.tokenMissing(turn, problem),
    );
  }

  /** A source that throws at once is one that rejects. */
  private async token(fresh: boolean): Promise<string> {
    return this.options.getToken({ fresh });
  }

  private open(turn: number, token: string): void {
    if (turn !== this.turn) return;
    this.stopTimer();
    const { Socket, door, clock } = this.options;
    try {
      this.socket = new SocketLine({ Socket, url: door, token }, clock, {
        frame: (frame) => this.heard(frame),
        lost: (loss) => this.lost(loss),
      });
    } catch {
      // The address was judged before; only a token that is none can keep a socket from being made.
      this.tokenMissing(turn, undefined);
    }
  }

  private tokenMissing(turn: number, problem: unknown): void {
    if (turn !== this.turn) return;
    if (problem instanceof SignedOut) this.end({ state: 'closed', reason: 'signed-out' });
    else this.lost({ code: LOST_WITHOUT_CODE, cause: 'token' });
  }

  private heard(frame: ServerFrame): void {
    if (frame.event === 'ready') this.ready(frame.data);
    else this.events.frame(frame);
  }

  private ready(session: ReadyData): void {
    this.readySince = this.options.clock.now();
    this.move({ state: 'ready', session });
  }

  private lost(loss: Loss): void {
    const now = this.options.clock.now();
    const opened = this.readySince !== undefined;
    const before = isSteady(this.readySince, now) ? NO_STREAK : this.streak;
    const after = afterLoss(before, loss, { now, chance: this.options.random() });
    this.streak = after.streak;
    if (after.state.state === 'closed') return this.end(after.state);
    this.leave();
    const { state } = after;
    if (state.state === 'waiting')
      this.stopTimer = this.options.clock.later(state.retryAt - now, () => this.connect());
    this.move(state);
    const silent = !opened && loss.code === LOST_WITHOUT_CODE && loss.cause === undefined;
    if (silent && isWorthAsking(this.streak)) void this.askWhy(this.turn);
  }

  /** Whatever else has happened by the time of the answer is newer. */
  private async askWhy(turn: number): Promise<void> {
    const told = await this.options.whyNot?.().catch(() => undefined);
    if (told === undefined || turn !== this.turn || this.current.state !== 'waiting') return;
    const next = afterTold(this.current, told);
    if (next.state === 'closed') this.end(next);
    else this.move(next);
  }

  private end(state: ConnectionState): void {
    this.leave();
    this.stopWaking();
    if (this.current.state !== 'closed') this.move(state);
  }

  private leave(): void {
    this.turn += 1;
    this.readySince = undefined;
    this.stopTimer();
    this.socket?.close();
    this.socket = undefined;
  }

  private move(state: ConnectionState): void {
    this.current = state;
    this.events.moved(state);
  }
}
