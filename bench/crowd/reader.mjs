/** One reader: a connection, what it has heard, and whether that is all. */
import { sharedMicros } from '../kit/agent.mjs';
import { DIALECTS } from './dialects.mjs';
import { Fold, stampsIn } from './fold.mjs';
import { WsWire } from './ws-wire.mjs';

export class Reader {
  fold = new Fold();
  /** Microseconds from the agent's write to here, one a stamped delta. */
  latencies = [];

  constructor({ dialect, port, threadId, from, ...where }, parse) {
    this.threadId = threadId;
    this.from = from;
    this.parse = parse;
    this.isJoined = new Promise((done) => (this.joined = done));
    this.isDone = new Promise((done) => (this.done = done));
    const { path, protocols, open, text } = DIALECTS[dialect];
    const to = { port, path: path({ threadId, ...where }), protocols: protocols?.({ threadId, ...where }) };
    this.wire = new WsWire(to, {
      open: () => open(this),
      text: (bytes) => text(this, bytes),
      closed: (why) => this.fault(why),
    });
  }

  send(text) {
    this.wire.send(text);
  }

  heard(frame) {
    this.fold.take(frame);
    for (const { delta } of frame.events)
      if (delta?.startsWith('@')) for (const at of stampsIn(delta)) this.latencies.push(sharedMicros() - at);
    if (this.fold.over) this.done();
  }

  fault(what) {
    this.fold.faults.push(what);
    this.joined();
    this.done();
  }

  /** Reads nothing more, as a phone in a tunnel. */
  stall() {
    this.wire.socket.pause();
  }

  leave() {
    this.wire.end();
  }
}
