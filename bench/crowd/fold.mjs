/** What one reader has heard: that nothing is missing or doubled, and what it adds up to. */

/** When the agent wrote a delta, if it said so; see `agent.mjs`. */
const STAMP = /@(\d+) /g;
export const unstamped = (text) => text.replaceAll(STAMP, '');
export const stampsIn = (text) => [...text.matchAll(STAMP)].map(([, micros]) => Number(micros));

const spoken = (messages) =>
  messages.map(({ role, content }) => (role === 'assistant' ? content : '')).join('');

export class Fold {
  pos;
  text = '';
  frames = 0;
  over = false;
  faults = [];

  /** A snapshot replaces everything heard before. */
  startOver({ pos, events }) {
    this.pos = pos;
    this.text = '';
    this.#apply(events);
  }

  /** A frame over all that was shown between two positions. */
  take({ prev, pos, events }) {
    if (this.pos !== undefined && prev !== this.pos) this.faults.push(`a gap before ${pos}`);
    this.pos = pos;
    this.frames += 1;
    this.#apply(events);
  }

  /** Events without positions. */
  takeBare(events) {
    this.frames += 1;
    this.#apply(events);
  }

  #apply(events) {
    for (const one of events) {
      if (one.type === 'TEXT_MESSAGE_CONTENT') this.text += one.delta;
      if (one.type === 'MESSAGES_SNAPSHOT') this.text = spoken(one.messages);
      if (one.type === 'RUN_STARTED') this.over = false;
      if (one.type === 'RUN_FINISHED') this.over = true;
    }
  }
}
