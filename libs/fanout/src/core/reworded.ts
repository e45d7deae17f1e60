/** Says what one socket is handed in other words than everybody's. */
import type { Position, ThreadId } from '@triptych/protocol';
import type { Delivery, Render } from './delivery.js';

/** Begins to tell a stream; what it says of an event may depend on those before it. */
export type Words = () => Render;

interface Telling {
  readonly pos: Position;
  readonly render: Render;
}

/** Streams whose course is remembered: more than one socket reads at once. */
const MAX_TELLINGS = 128;

export class Reworded {
  /** The one told last stands last. */
  private readonly tellings = new Map<ThreadId, Telling>();

  constructor(private readonly words: Words) {}

  frameOf(delivery: Delivery): string {
    const { threadId, pos } = delivery;
    const render = this.renderFor(delivery);
    this.tellings.delete(threadId);
    this.tellings.set(threadId, { pos, render });
    const [oldest] = this.tellings.keys();
    if (this.tellings.size > MAX_TELLINGS && oldest !== undefined) this.tellings.delete(oldest);
    return delivery.reworded(render);
  }

  /** Whoever is not told what follows its last frame begins anew. */
  private renderFor(delivery: Delivery): Render {
    const telling = this.tellings.get(delivery.threadId);
    const goesOn = delivery.kind === 'agui' && delivery.prev === telling?.pos;
    return goesOn ? telling.render : this.words();
  }
}
