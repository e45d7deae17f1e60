/** A voice at a board in memory: what stands there can be looked at, and each act can go wrong as real ones do. */
import type { Page } from '../src/progress/core/page.js';
import type { Act, Heard, Voice } from '../src/progress/core/voice.js';

export interface BoardMessage {
  readonly id: string;
  readonly key: string | undefined;
  text: string;
  standing: string | undefined;
  streams: boolean;
}

/** `drop`: done, and nobody hears of it; `lost`: not done, and nobody hears why; `close`: its streams end by themselves. */
export type Mood = 'fine' | 'drop' | 'lost' | 'close' | Exclude<Heard, { kind: 'done' }>;

const TERMS = { pageChars: 40, changeMs: 1_200, addMs: 600, streamMs: 240_000, canLook: true };

export class VoiceBoard implements Voice<'slack'> {
  readonly kind = 'slack';
  readonly terms: Voice['terms'];
  readonly messages: BoardMessage[] = [];
  readonly acts: Act[] = [];
  /** What is answered next, then `fine`. */
  readonly moods: Mood[] = [];
  streams = false;

  constructor(terms: Partial<Voice['terms']> = {}) {
    this.terms = { ...TERMS, ...terms };
  }

  get text(): string {
    return this.messages.map(({ text }) => text).join('');
  }

  streamsAt(): Promise<boolean> {
    return Promise.resolve(this.streams);
  }

  carryOut(act: Act): Promise<Heard> {
    return Promise.resolve(this.answer(act));
  }

  answer(act: Act): Heard {
    this.acts.push(act);
    const mood = this.moods.shift() ?? 'fine';
    if (typeof mood === 'object') return mood;
    if (mood === 'lost') return { kind: 'unsure', why: 'no answer' };
    if (mood === 'close') for (const message of this.messages) message.streams = false;
    const heard = this.carry(act);
    return mood === 'drop' ? { kind: 'unsure', why: 'no answer' } : heard;
  }

  private carry(act: Act): Heard {
    switch (act.kind) {
      case 'post':
        return this.add(act.page, { key: act.key, streams: false });
      case 'begin':
        return this.add(act.page, { key: undefined, streams: true });
      case 'find':
        return this.find(act);
      case 'change':
        return this.change(act);
      case 'add':
      case 'end':
        return this.grow(act);
    }
  }

  private add(
    { text, standing }: Page,
    { key, streams }: { key: string | undefined; streams: boolean },
  ): Heard {
    const id = `m${this.messages.length + 1}`;
    this.messages.push({ id, key, text, standing: streams ? undefined : standing, streams });
    return { kind: 'done', id };
  }

  private find({ key, known }: Extract<Act, { kind: 'find' }>): Heard {
    const found = this.messages.find((one) => one.key === key || (!one.key && !known.includes(one.id)));
    return found ? { kind: 'done', id: found.id } : { kind: 'absent' };
  }

  private change({ id, page, key }: Extract<Act, { kind: 'change' }>): Heard {
    const message = this.messages.find((one) => one.id === id);
    if (!message) return { kind: 'gone' };
    if (message.streams) throw new Error('A message that streams cannot be changed.');
    const { text, standing } = page;
    Object.assign(message, { text, standing, key });
    return { kind: 'done' };
  }

  private grow({ kind, id, page, before }: Extract<Act, { kind: 'add' | 'end' }>): Heard {
    const message = this.messages.find((one) => one.id === id);
    if (!message) return { kind: 'gone' };
    if (!message.streams) return { kind: 'no-stream', why: 'it streams no more' };
    if (before) message.text += page.text.slice(before.text.length);
    if (kind === 'end') {
      message.streams = false;
      if (before) message.standing = page.standing;
    }
    return { kind: 'done' };
  }
}
