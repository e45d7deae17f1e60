/** Writes a stream to a WebSocket: one event a text frame, and nothing around it. */
import { CLOSE, type CloseReason } from '@triptych/protocol';
import { WebSocket } from 'ws';
import { born, heard, lookAt, type Act, type Liveness } from '../core/liveness.js';
import type { StreamEvent, StreamLine } from '../core/stream-line.js';
import { SlicedLine } from '../shell/sliced-line.js';
import type { LineTools } from './http-line.js';

export interface WsLineOptions extends LineTools {
  readonly socket: WebSocket;
}

class WsLine implements StreamLine {
  private readonly slices: SlicedLine;
  private handed = 0;
  private ended = false;
  private life: Liveness;

  constructor(private readonly options: WsLineOptions) {
    const { socket, pulse, clock, expiresAt } = options;
    this.slices = new SlicedLine((slice, { last, done }) => {
      socket.send(slice, { binary: false, fin: last }, () => {
        done();
        if (this.ended && this.slices.idle) this.close('DONE');
      });
    });
    this.life = born(clock.now(), expiresAt);
    const live = (): void => void (this.life = heard(this.life));
    socket.on('pong', live).on('message', live);
    this.onceClosed(pulse.add((now) => this.beat(now)));
  }

  get closed(): boolean {
    return this.options.socket.readyState === WebSocket.CLOSED;
  }

  onceClosed(hear: () => void): void {
    if (this.closed) hear();
    else this.options.socket.once('close', hear);
  }

  /** It is open since the upgrade, and has no word for how it begins. */
  open(): void {}

  send(events: readonly StreamEvent[]): void {
    if (this.ended) return;
    for (const { json } of events) {
      const bytes = Buffer.from(json);
      this.handed += bytes.length;
      this.slices.send(bytes);
    }
  }

  clear(): boolean {
    return this.slices.idle && this.unsent() === 0;
  }

  unsent(): number {
    return this.slices.waiting + this.options.socket.bufferedAmount;
  }

  taken(): number {
    return this.handed - this.unsent();
  }

  end(reason?: CloseReason): void {
    this.ended = true;
    if (reason !== undefined) {
      // What waits for a reader too slow to take it would only delay the end.
      this.slices.abandon();
      this.close(reason);
    } else if (this.slices.idle) this.close('DONE');
  }

  private close(reason: CloseReason): void {
    this.options.socket.close(CLOSE[reason].code);
  }

  private beat(now: number): void {
    const { life, acts } = lookAt(this.life, { now, unsent: this.unsent(), taken: this.taken() });
    this.life = life;
    for (const act of acts) this.act(act);
  }

  private act(act: Act): void {
    const { socket } = this.options;
    if (act.do === 'beat') socket.ping();
    else if (act.do === 'close') this.end(act.reason);
    else if (act.do === 'terminate') socket.terminate();
  }
}

export const wsLine = (options: WsLineOptions): StreamLine => new WsLine(options);
