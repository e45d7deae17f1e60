/** One reader: a connection, what it has heard, and whether that is all. */
import { sharedMicros } from '../kit/agent.mjs';
import { DIALECTS } from './dialects.mjs';
import { Fold, stampsIn } from './fold.mjs';

export class Reader {
  fold = new Fold();
  /** Microseconds from the agent's write to here, one a stamped delta. */
  latencies = [];

  /** `where`: dialect, port and what the dialect asks for; `parse` may be shared by all readers of the thread. */
  constructor(threadId, where, parse) {
    this.threadId = threadId;
    this.where = where;
    this.parse = parse;
    this.dialect = DIALECTS[where.dialect];
  }

  /** Opens the connection; a reader that was here before goes on from its position. Resolves when it has joined. */
  join() {
    this.from = this.fold.pos;
    this.left = false;
    const joined = new Promise((done) => (this.joined = done));
    this.listen();
    this.wire = this.dialect.connect(this, this.where);
    return joined;
  }

  /** From now on `isDone` means: a run that ends after this, and at least so much text. */
  listen(minLength = 0) {
    this.minLength = minLength;
    this.fold.over = false;
    this.isDone = new Promise((done) => (this.done = done));
  }

  send(text) {
    this.wire.send(text);
  }

  /** Another thread on the same connection; what comes of it is not looked at. */
  alsoRead(threadId) {
    const joined = new Promise((done) => (this.joined = done));
    this.send(JSON.stringify({ event: 'subscribe', id: 'also', data: { threadId } }));
    return joined;
  }

  heard(frame) {
    this.fold.take(frame);
    this.#measure(frame.events);
    this.#endIfWhole();
  }

  /** Events that come without their positions. */
  heardBare(events) {
    this.fold.takeBare(events);
    this.#measure(events);
    this.#endIfWhole();
  }

  snapshot(data) {
    this.fold.startOver(data);
    this.joined();
    this.#endIfWhole();
  }

  fault(what) {
    if (this.left) return;
    this.fold.faults.push(what);
    this.joined();
    this.done();
  }

  /** Reads nothing more, as a phone in a tunnel does, until `resume`. */
  stall() {
    this.wire.socket.pause();
  }

  resume() {
    this.wire.socket.resume();
  }

  leave() {
    this.left = true;
    this.wire.end();
  }

  #measure(events) {
    for (const { delta } of events)
      if (delta?.startsWith('@')) for (const at of stampsIn(delta)) this.latencies.push(sharedMicros() - at);
  }

  #endIfWhole() {
    if (this.fold.over && this.fold.text.length >= this.minLength) this.done();
  }
}
