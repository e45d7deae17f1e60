/** A screen that stays: when its socket is lost it opens another and goes on from where each thread stands. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Model } from '@triptych/protocol';
import { until } from './processes.js';
import type { Screen } from './screen.js';
import { ThreadBook } from './thread-book.js';

const TRY_AGAIN_MS = 50;

/** Opens a socket for somebody, on whichever hub is there; throws while none is. */
export type OpenScreen = (book: ThreadBook) => Promise<Screen>;

export class LastingScreen {
  readonly book = new ThreadBook();
  /** Sockets it has had so far. */
  sockets = 0;
  private readonly following = new Set<string>();
  private screen: Screen | undefined;
  private closed = false;
  private readonly life: Promise<void>;

  constructor(private readonly open: OpenScreen) {
    this.life = this.live();
  }

  get gaps(): readonly string[] {
    return this.book.gaps;
  }

  model(threadId: string): Model {
    return this.book.model(threadId);
  }

  /** Resolves when the thread is followed for the first time. */
  async follow(threadId: string): Promise<void> {
    this.following.add(threadId);
    if (this.screen) await this.goOn(this.screen, threadId);
    await until(() => this.book.positionOf(threadId) !== undefined);
  }

  /** Resolves when the thread's model is as wanted, however many sockets that takes. */
  async until(threadId: string, wanted: (model: Model) => boolean): Promise<Model> {
    await until(() => wanted(this.model(threadId)));
    return this.model(threadId);
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.screen?.close();
    await this.life;
  }

  private async live(): Promise<void> {
    while (!this.closed) {
      const screen = await this.open(this.book).catch(() => undefined);
      if (screen) await this.stay(screen);
      else await pause(TRY_AGAIN_MS);
    }
  }

  private async stay(screen: Screen): Promise<void> {
    this.sockets += 1;
    this.screen = screen;
    const lost = once(screen.socket, 'close');
    for (const threadId of this.following) await this.goOn(screen, threadId);
    if (this.closed) await screen.close();
    await lost;
    this.screen = undefined;
  }

  /** A hub that cannot read the store yet refuses, and is asked again; a socket that is lost meanwhile ends the attempt. */
  private async goOn(screen: Screen, threadId: string): Promise<void> {
    while (screen.isOpen) {
      const done = await screen.subscribe(threadId, this.book.positionOf(threadId)).then(
        () => true,
        () => false,
      );
      if (done) return;
      await pause(TRY_AGAIN_MS);
    }
  }
}
