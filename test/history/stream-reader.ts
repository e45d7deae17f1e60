/** Reads one surface by Server-Sent Events, a stream a thread, and comes back by `Last-Event-ID`. */
import type { AguiEvent } from '@triptych/protocol';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { Book } from './history.js';
import { Pages } from './pages.js';
import { AGAIN_MS, Pauses, SECRETS, SITS_MS, type HistoryReader, type Seat } from './reader.js';

class Attached {
  pos: string | undefined;
  private abort = new AbortController();
  private prelude: AguiEvent[] | undefined;
  private owed = false;

  constructor(
    private readonly threadId: string,
    private readonly pages: Pages,
  ) {}

  leave(): void {
    this.abort.abort();
  }

  async sit(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
    this.abort = new AbortController();
    const from = this.pos;
    this.pages.add(this.threadId, { kind: 'asked' });
    try {
      const response = await fetch(url, {
        headers: { ...headers, ...(from === undefined ? {} : { 'last-event-id': from }) },
        signal: this.abort.signal,
      });
      if (response.status === 200 && response.body) await this.read(response, from);
    } catch {
      // Left, cut off, or nobody there: it comes again.
    }
    this.pages.add(this.threadId, { kind: 'lost' });
  }

  private async read(response: Response, from: string | undefined): Promise<void> {
    const recovered = response.headers.get('hub-recovered') === 'replay' ? 'replay' : 'snapshot';
    this.pages.add(this.threadId, { kind: 'answered', recovered, ...(from === undefined ? {} : { from }) });
    [this.prelude, this.owed] = [undefined, recovered === 'snapshot'];
    const parser = createParser({ onEvent: (message) => this.hear(message) });
    const decoder = new TextDecoder();
    for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
      const text = decoder.decode(bytes, { stream: true });
      this.pages.search(this.threadId, text);
      parser.feed(text);
    }
  }

  private hear({ event: name, id, data }: EventSourceMessage): void {
    const event = JSON.parse(data) as AguiEvent;
    if (name === 'prelude') {
      this.prelude = [...(this.prelude ?? []), event];
      if (id !== undefined) this.arrive(id, this.prelude);
      return;
    }
    if (id === undefined) return;
    // A surface that shows nothing yet has a prelude without an event.
    if (this.owed) this.arrive('', []);
    this.pages.add(this.threadId, { kind: 'events', prev: this.pos ?? '', pos: id, events: [event] });
    this.pos = id;
  }

  private arrive(pos: string, events: readonly AguiEvent[]): void {
    this.owed = false;
    this.pages.add(this.threadId, { kind: 'snapshot', pos, events });
    this.pos = pos;
  }
}

export class StreamReader implements HistoryReader {
  private readonly pages: Pages;
  private readonly streams: ReadonlyMap<string, Attached>;
  private readonly pauses = new Pauses();
  private settled = false;
  private stopped = false;
  private readonly lives: Promise<unknown>;

  constructor(readonly seat: Seat) {
    this.pages = new Pages(seat.name, seat.surface, SECRETS[seat.surface]);
    this.streams = new Map(seat.threads.map((threadId) => [threadId, new Attached(threadId, this.pages)]));
    this.lives = Promise.all([...this.streams].map(([threadId, stream]) => this.live(threadId, stream)));
  }

  positionOf(threadId: string): string | undefined {
    return this.streams.get(threadId)?.pos;
  }

  settle(): void {
    this.settled = true;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.pauses.end();
    for (const stream of this.streams.values()) stream.leave();
    await this.lives;
  }

  books(): readonly Book[] {
    return this.pages.books(this.seat.cold ?? false);
  }

  private async live(threadId: string, stream: Attached): Promise<void> {
    const { hubs, surface, token } = this.seat;
    const chance = this.seat.chance.of(threadId);
    while (!this.stopped) {
      const url = `${chance.one(hubs).url}/v1/threads/${threadId}/events?surface=${surface}`;
      const over = stream.sit(url, { authorization: `Bearer ${token}` });
      if (!this.settled && !this.seat.cold)
        await this.leaveInTime(stream, over, chance.between(SITS_MS.from, SITS_MS.to));
      await over;
      await this.pauses.pause(chance.between(AGAIN_MS.from, AGAIN_MS.to));
    }
  }

  private async leaveInTime(stream: Attached, over: Promise<void>, ms: number): Promise<void> {
    await Promise.race([over, this.pauses.pause(ms)]);
    if (!this.settled) stream.leave();
  }
}
