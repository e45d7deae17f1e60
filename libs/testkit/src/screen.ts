/** A surface as a test sees it: a plain `ws` client that keeps every frame and checks the law of positions. */
import { once } from 'node:events';
import {
  emptyModel,
  modelStep,
  SUBPROTOCOL,
  type AguiData,
  type AguiEvent,
  type Model,
  type SnapshotData,
  type Surface,
} from '@triptych/protocol';
import { WebSocket } from 'ws';

/** A test waits this long for a frame before it says what it saw instead, ms. */
const PATIENCE_MS = 15_000;

export interface Frame {
  readonly event: string;
  readonly id?: string;
  readonly data: Record<string, unknown>;
}

interface Waiting {
  readonly matches: (frame: Frame) => boolean;
  readonly done: (frame: Frame) => void;
}

export class Screen {
  readonly frames: Frame[] = [];
  readonly texts: string[] = [];
  /** What `prev` did not continue; a correct hub leaves it empty. */
  readonly gaps: string[] = [];
  readonly positions = new Map<string, string>();
  private readonly models = new Map<string, Model>();
  private waiting: Waiting[] = [];
  private asked = 0;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data) => this.take(String(data)));
  }

  static async open(url: string, surface: Surface, token: string): Promise<Screen> {
    const socket = new WebSocket(`${url.replace(/^http/u, 'ws')}/ws/${surface}`, [
      SUBPROTOCOL,
      `bearer.${token}`,
    ]);
    const screen = new Screen(socket);
    await once(socket, 'open');
    await screen.next('ready');
    return screen;
  }

  /** The next frame of this name (or the first already here that no one asked for yet and matches). */
  next(event: string, matches: (data: Record<string, unknown>) => boolean = () => true): Promise<Frame> {
    const fits = (frame: Frame): boolean => frame.event === event && matches(frame.data);
    const seen = this.frames.find(fits);
    return seen ? Promise.resolve(seen) : this.wait(fits, `${event} frame`);
  }

  /** Sends a frame with an id; answers its `reply` data or throws its refusal's code. */
  async ask<T = Record<string, unknown>>(event: string, data: unknown): Promise<T> {
    const id = `q${(this.asked += 1)}`;
    const answer = this.wait((frame) => frame.id === id, `answer to ${event}`);
    this.socket.send(JSON.stringify({ event, id, data }));
    const frame = await answer;
    if (frame.event === 'refused') throw new RefusedAnswer(String(frame.data.code), frame.data);
    return frame.data as T;
  }

  model(threadId: string): Model {
    return this.models.get(threadId) ?? emptyModel();
  }

  /** Resolves when the thread's model is as wanted. */
  async until(threadId: string, wanted: (model: Model) => boolean): Promise<Model> {
    if (!wanted(this.model(threadId)))
      await this.wait(() => wanted(this.model(threadId)), `model of ${threadId}`);
    return this.model(threadId);
  }

  async close(): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED) return;
    const closed = once(this.socket, 'close');
    this.socket.close();
    await closed;
  }

  private wait(matches: (frame: Frame) => boolean, what: string): Promise<Frame> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const seen = this.frames.slice(-8).map((frame) => JSON.stringify(frame).slice(0, 300));
        reject(new Error(`no ${what} within ${PATIENCE_MS} ms; last frames:\n${seen.join('\n')}`));
      }, PATIENCE_MS);
      const done = (frame: Frame): void => {
        clearTimeout(timer);
        resolve(frame);
      };
      this.waiting.push({ matches, done });
    });
  }

  private take(text: string): void {
    const frame = JSON.parse(text) as Frame;
    this.texts.push(text);
    this.frames.push(frame);
    if (frame.event === 'snapshot') this.restart(frame.data as unknown as SnapshotData);
    if (frame.event === 'agui') this.follow(frame.data as unknown as AguiData);
    const met = this.waiting.filter((waiting) => waiting.matches(frame));
    this.waiting = this.waiting.filter((waiting) => !met.includes(waiting));
    for (const waiting of met) waiting.done(frame);
  }

  private restart({ threadId, pos, events }: SnapshotData): void {
    this.models.set(threadId, emptyModel());
    this.apply(threadId, events);
    this.positions.set(threadId, pos);
  }

  private follow({ threadId, prev, pos, events }: AguiData): void {
    const mine = this.positions.get(threadId);
    if (mine !== undefined && mine !== prev) this.gaps.push(`${mine} → ${prev}`);
    this.apply(threadId, events);
    this.positions.set(threadId, pos);
  }

  private apply(threadId: string, events: readonly AguiEvent[]): void {
    for (const event of events) this.models.set(threadId, modelStep(this.model(threadId), event));
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
