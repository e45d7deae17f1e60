/** A reader that is the product's own client: whatever it does by itself, what it shows must be what everybody has. */
import { HubClient, type SocketConstructor, type ThreadView } from '@triptych/client';
import { WebSocket } from 'ws';
import type { Book } from './history.js';
import { Pages } from './pages.js';
import { AGAIN_MS, Pauses, SITS_MS, type HistoryReader, type Seat } from './reader.js';
import { digestOf } from './walk.js';

export class ClientReader implements HistoryReader {
  private readonly pages: Pages;
  private readonly views = new Map<string, ThreadView>();
  private readonly sockets = new Set<WebSocket>();
  private readonly client: HubClient;
  private readonly pauses = new Pauses();
  private settled = false;
  private stopped = false;
  private readonly life: Promise<void>;

  constructor(readonly seat: Seat) {
    const { surface, hubs, chance, token } = seat;
    this.pages = new Pages(seat.name, surface, []);
    const { sockets } = this;
    class Kept extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols);
        sockets.add(this);
        this.once('close', () => sockets.delete(this));
      }
    }
    this.client = new HubClient({
      url: chance.one(hubs).url,
      surface,
      getToken: () => Promise.resolve(token),
      WebSocketImpl: Kept as unknown as SocketConstructor,
      random: () => chance.next() / 4,
    });
    this.client.start();
    for (const threadId of seat.threads) this.follow(threadId);
    this.life = this.live();
  }

  positionOf(threadId: string): string | undefined {
    return this.views.get(threadId)?.pos;
  }

  settle(): void {
    this.settled = true;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.pauses.end();
    this.client.stop();
    await this.life;
  }

  books(): readonly Book[] {
    return this.pages.books(false);
  }

  private follow(threadId: string): void {
    const leave = this.client.subscribe(threadId, (view, change) => {
      const known = this.views.get(threadId);
      this.views.set(threadId, view);
      if (view.pos !== undefined && view.pos !== known?.pos)
        this.pages.add(threadId, {
          ...{ kind: 'model', pos: view.pos, digest: digestOf(view.model) },
          anew: change.kind === 'snapshot',
        });
      // A store that was wiped knows the thread again in a moment.
      if (view.phase === 'ended' && !this.stopped)
        void this.pauses.pause(AGAIN_MS.to).then(() => this.again(threadId, leave));
    });
  }

  private again(threadId: string, leave: () => void): void {
    if (this.stopped) return;
    leave();
    this.views.delete(threadId);
    this.follow(threadId);
  }

  private async live(): Promise<void> {
    const { chance } = this.seat;
    while (!this.stopped) {
      await this.pauses.pause(chance.between(AGAIN_MS.from, this.settled ? AGAIN_MS.to : SITS_MS.to));
      if (this.settled) this.client.retryNow();
      else for (const socket of this.sockets) socket.terminate();
    }
  }
}
