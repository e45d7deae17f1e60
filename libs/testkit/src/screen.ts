/** A surface as a test sees it: a plain `ws` client that keeps every frame and follows threads by their positions. */
import { once } from 'node:events';
import { SUBPROTOCOL, type Model, type Surface } from '@triptych/protocol';
import { WebSocket } from 'ws';
import { ThreadBook } from './thread-book.js';

/** A test waits this long for a frame before it says what it saw instead, ms. */
const PATIENCE_MS = 15_000;
const SHOWN_FRAMES = 8;
const SHOWN_CHARS = 300;

export interface Frame {
  readonly event: string;
  readonly id?: string;
  readonly data: Record<string, unknown>;
}

type Matches = (data: Record<string, unknown>) => boolean;

interface Waiting {
  readonly what: string;
  readonly fits: (frame: Frame) => boolean;
  /** The frame is this one's alone: no later `next` gets it. */
  readonly takes: boolean;
  readonly done: (frame: Frame) => void;
  readonly fail: (why: string) => void;
}

const any: Matches = () => true;

export class Screen {
  readonly frames: Frame[] = [];
  readonly texts: string[] = [];
  private readonly taken = new Set<Frame>();
  private waiting: readonly Waiting[] = [];
  private requests = 0;

  private constructor(
    readonly socket: WebSocket,
    readonly book: ThreadBook,
  ) {
    socket.on('message', (data) => this.hear(String(data)));
    socket.on('close', (code) => this.lost(code));
    // `close` always follows; without a listener `ws` would throw it.
    socket.on('error', () => undefined);
  }

  /** `book`: where the threads stand that another screen followed before. */
  static async open(url: string, surface: Surface, token: string, book = new ThreadBook()): Promise<Screen> {
    const socket = new WebSocket(`${url.replace(/^http/u, 'ws')}/ws/${surface}`, [
      SUBPROTOCOL,
      `bearer.${token}`,
    ]);
    const screen = new Screen(socket, book);
    await once(socket, 'open');
    await screen.next('ready');
    return screen;
  }

  /** Where something was left out, or came twice; a correct hub leaves it empty. */
  get gaps(): readonly string[] {
    return this.book.gaps;
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** All frames of this name so far, whether somebody asked for them or not. */
  seen(event: string, matches: Matches = any): readonly Frame[] {
    return this.frames.filter((frame) => frame.event === event && matches(frame.data));
  }

  /** The first frame of this name that no one asked for yet: one that is here, or the next to come. */
  next(event: string, matches: Matches = any): Promise<Frame> {
    const here = this.seen(event, matches).find((frame) => !this.taken.has(frame));
    if (here) {
      this.taken.add(here);
      return Promise.resolve(here);
    }
    const fits = (frame: Frame): boolean => frame.event === event && matches(frame.data);
    return this.wait({ what: `${event} frame`, fits, takes: true });
  }

  /** Sends a frame with an id; answers its `reply` data or throws its refusal's code. */
  ask<T = Record<string, unknown>>(event: string, data: unknown): Promise<T> {
    return this.request(event, data, () => undefined) as Promise<T>;
  }

  /** Follows a thread: from a position, whose successor must come first, or from a snapshot. */
  async subscribe(threadId: string, from?: string): Promise<void> {
    this.book.asked(threadId);
    const data = from === undefined ? { threadId } : { threadId, from };
    // With the reply frames count again, and the first of them may be in the same packet.
    await this.request('subscribe', data, ({ recovered }) => this.book.answered(threadId, from, recovered));
  }

  positionOf(threadId: string): string | undefined {
    return this.book.positionOf(threadId);
  }

  model(threadId: string): Model {
    return this.book.model(threadId);
  }

  /** Resolves when the thread's model is as wanted. */
  async until(threadId: string, wanted: (model: Model) => boolean): Promise<Model> {
    const fits = (): boolean => wanted(this.model(threadId));
    if (!fits()) await this.wait({ what: `model of ${threadId}`, fits, takes: false });
    return this.model(threadId);
  }

  async close(): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED) return;
    const closed = once(this.socket, 'close');
    this.socket.close();
    await closed;
  }

  private async request(
    event: string,
    data: unknown,
    answered: (reply: Frame['data']) => void,
  ): Promise<unknown> {
    const id = `q${(this.requests += 1)}`;
    const fits = (frame: Frame): boolean => frame.id === id;
    const answer = this.wait({ what: `answer to ${event}`, fits, takes: true }, (frame) => {
      if (frame.event === 'reply') answered(frame.data);
    });
    this.socket.send(JSON.stringify({ event, id, data }));
    const frame = await answer;
    if (frame.event === 'refused') throw new RefusedAnswer(String(frame.data.code), frame.data);
    return frame.data;
  }

  private wait(
    asked: Pick<Waiting, 'what' | 'fits' | 'takes'>,
    heard: (frame: Frame) => void = () => undefined,
  ): Promise<Frame> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        this.waiting = this.waiting.filter((other) => other !== waiting);
      };
      const fail = (why: string): void => {
        end();
        reject(new Error(`no ${asked.what} ${why}; last frames:\n${this.lastFrames()}`));
      };
      const done = (frame: Frame): void => {
        end();
        heard(frame);
        resolve(frame);
      };
      const timer = setTimeout(() => fail(`within ${PATIENCE_MS} ms`), PATIENCE_MS);
      const waiting: Waiting = { ...asked, done, fail };
      this.waiting = [...this.waiting, waiting];
    });
  }

  private lastFrames(): string {
    const last = this.frames.slice(-SHOWN_FRAMES).map((frame) => JSON.stringify(frame));
    return last.map((text) => text.slice(0, SHOWN_CHARS)).join('\n');
  }

  private hear(text: string): void {
    const frame = JSON.parse(text) as Frame;
    this.texts.push(text);
    this.frames.push(frame);
    this.book.take(frame);
    for (const waiting of this.waiting) {
      if ((waiting.takes && this.taken.has(frame)) || !waiting.fits(frame)) continue;
      if (waiting.takes) this.taken.add(frame);
      waiting.done(frame);
    }
  }

  private lost(code: number): void {
    for (const waiting of this.waiting) waiting.fail(`before the socket closed (${code})`);
  }
}

export class RefusedAnswer extends Error {
  constructor(
    readonly code: string,
    readonly data: Record<string, unknown>,
  ) {
    super(`refused: ${code}`);
  }
}
