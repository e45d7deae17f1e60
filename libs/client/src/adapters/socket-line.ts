/** One WebSocket from opening to closing: frames in, frames out, and proof that it is alive. */
import { SUBPROTOCOL, type ServerFrame } from '@triptych/protocol';
import type { Loss } from '../core/connection.js';
import { readServerFrame } from '../core/server-frame.js';
import type { Clock } from './clock.js';

/** The part of the WebSocket interface that browsers and `ws` share. */
export interface SocketLike {
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  onerror: ((event: unknown) => void) | null;
  send(text: string): void;
  close(code?: number): void;
}
export type SocketConstructor = new (url: string, protocols: string[]) => SocketLike;

/** The platform's own WebSocket; older Node has none. */
export const defaultSocket = (): SocketConstructor => {
  const { WebSocket: Socket } = globalThis as { WebSocket?: SocketConstructor };
  if (Socket === undefined) throw new Error('No WebSocket here: give WebSocketImpl.');
  return Socket;
};

/** A connection that has not said `ready` by then is behind something that swallows sockets. */
const READY_WITHIN_MS = 15_000;
/** A pong that is not here by then will not come, ms. */
const PONG_WITHIN_MS = 10_000;
const PING = JSON.stringify({ event: 'ping' });
const ABNORMAL_CLOSURE = 1006;
const NORMAL_CLOSURE = 1000;

export interface LineEvents {
  frame(frame: ServerFrame): void;
  lost(loss: Loss): void;
}

export class SocketLine {
  private readonly socket: SocketLike;
  private over = false;
  private stopWatch: () => void;
  private heartbeatMs = READY_WITHIN_MS;
  private pinged = false;
  private retryAfterMs: number | undefined;

  constructor(
    target: { readonly Socket: SocketConstructor; readonly url: string; readonly token: string },
    private readonly clock: Clock,
    private readonly events: LineEvents,
  ) {
    this.socket = new target.Socket(target.url, [SUBPROTOCOL, `bearer.${target.token}`]);
    this.stopWatch = clock.later(READY_WITHIN_MS, () => this.lose(ABNORMAL_CLOSURE));
    this.socket.onmessage = ({ data }) => this.heard(String(data));
    this.socket.onclose = ({ code }) => this.lose(code);
    // `close` always follows an error; without a listener `ws` would throw it.
    this.socket.onerror = () => undefined;
  }

  send(text: string): void {
    this.socket.send(text);
  }

  /** Asks for a sign of life now. */
  check(): void {
    if (!this.over && !this.pinged) this.ask();
  }

  close(): void {
    if (this.over) return;
    this.finish();
    this.socket.close(NORMAL_CLOSURE);
  }

  private heard(text: string): void {
    if (this.over) return;
    const frame = readServerFrame(text);
    if (frame?.event === 'ready') this.heartbeatMs = frame.data.heartbeatMs;
    if (frame?.event === 'closing') this.retryAfterMs = frame.data.retryAfterMs;
    this.watch();
    if (frame !== undefined) this.events.frame(frame);
  }

  /** CLI-8: a browser cannot see pings, so silence is answered with our own; more silence is a loss. */
  private watch(): void {
    this.stopWatch();
    this.pinged = false;
    this.stopWatch = this.clock.later(this.heartbeatMs, () => this.silent());
  }

  private silent(): void {
    if (this.pinged) this.lose(ABNORMAL_CLOSURE);
    else this.ask();
  }

  private ask(): void {
    this.pinged = true;
    this.send(PING);
    this.stopWatch();
    this.stopWatch = this.clock.later(Math.min(this.heartbeatMs, PONG_WITHIN_MS), () => this.silent());
  }

  private lose(code: number): void {
    if (this.over) return;
    this.finish();
    this.socket.close();
    this.events.lost({
      code,
      ...(this.retryAfterMs === undefined ? {} : { retryAfterMs: this.retryAfterMs }),
    });
  }

  private finish(): void {
    this.over = true;
    this.stopWatch();
  }
}
