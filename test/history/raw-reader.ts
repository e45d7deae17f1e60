/** A plain `ws` client that keeps the discipline of positions: it wanders, rewinds, stalls, and writes down all it is sent. */
import { once } from 'node:events';
import { SUBPROTOCOL, type AguiData, type SnapshotData } from '@triptych/protocol';
import { WebSocket } from 'ws';
import type { Book } from './history.js';
import { Pages } from './pages.js';
import { AGAIN_MS, Pauses, SECRETS, SITS_MS, type HistoryReader, type Seat } from './reader.js';

export interface Habits {
  /** Leaves for another hub again and again. */
  readonly restless: boolean;
  readonly acks: boolean;
  /** Stops reading for a while, now and then. */
  readonly stalls: boolean;
  /** Through the line that may be made slow. */
  readonly slow: boolean;
  /** Goes back to a place it has passed, joins anew, leaves a thread. */
  readonly fickle: boolean;
  /** Where it says that it stands when it first comes. */
  readonly from?: Readonly<Record<string, string>>;
}

export const STEADY: Habits = { restless: false, acks: false, stalls: false, slow: false, fickle: false };

interface Frame {
  readonly event: string;
  readonly id?: string;
  readonly data: Record<string, unknown>;
}

interface Thread {
  pos: string | undefined;
  asking: number;
  /** Places since it last began anew. */
  passed: string[];
}

const STALL_MS = { from: 200, to: 2_000 };
/** Between two whims, ms. */
const WHIM_MS = 150;
/** Places a reader may go back to. */
const REMEMBERED = 30;
const NEVER_OPENED_MS = 5_000;

export class RawReader implements HistoryReader {
  private readonly pages: Pages;
  private readonly threads = new Map<string, Thread>();
  private readonly asked = new Map<string, { threadId: string; from: string | undefined }>();
  private socket: WebSocket | undefined;
  private requests = 0;
  private readonly pauses = new Pauses();
  private settled = false;
  private stopped = false;
  private readonly life: Promise<void>;

  constructor(
    readonly seat: Seat,
    private readonly habits: Habits,
  ) {
    this.pages = new Pages(seat.name, seat.surface, SECRETS[seat.surface]);
    for (const threadId of seat.threads) this.begin(threadId);
    this.life = this.live();
  }

  positionOf(threadId: string): string | undefined {
    return this.threads.get(threadId)?.pos;
  }

  settle(): void {
    this.settled = true;
    this.socket?.resume();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.pauses.end();
    this.socket?.terminate();
    await this.life;
  }

  books(): readonly Book[] {
    return this.pages.books(this.seat.cold ?? false);
  }

  /** A leak outside of any thread is noted on this one's page. */
  private get firstThread(): string {
    return this.seat.threads[0] ?? '';
  }

  private begin(threadId: string): void {
    const pos = this.habits.from?.[threadId];
    this.threads.set(threadId, { pos, asking: 0, passed: [] });
    if (pos !== undefined) this.pages.add(threadId, { kind: 'snapshot', pos, events: [] });
  }

  private async live(): Promise<void> {
    const { chance, hubs } = this.seat;
    while (!this.stopped) {
      const { lines } = chance.one(hubs);
      const line = this.habits.slow && !this.settled ? lines.slow : lines.clients;
      await this.sit(line.url);
      await this.pauses.pause(chance.between(AGAIN_MS.from, AGAIN_MS.to));
    }
  }

  private async sit(url: string): Promise<void> {
    const socket = new WebSocket(
      `${url.replace(/^http/u, 'ws')}/ws/${this.seat.surface}`,
      [SUBPROTOCOL, `bearer.${this.seat.token}`],
      { handshakeTimeout: NEVER_OPENED_MS },
    );
    this.socket = socket;
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined);
    socket.on('message', (bytes) => this.hear(socket, String(bytes)));
    socket.once('open', () => {
      for (const threadId of this.seat.threads) this.subscribe(threadId, this.positionOf(threadId));
    });
    const whims = this.habits.fickle || this.habits.stalls ? this.indulge(socket) : undefined;
    await (this.habits.restless ? Promise.race([closed, this.leave(socket)]) : closed);
    await Promise.all([closed, whims]);
    for (const [threadId, thread] of this.threads) this.lose(threadId, thread);
    this.asked.clear();
  }

  private async leave(socket: WebSocket): Promise<void> {
    const { chance } = this.seat;
    await this.pauses.pause(chance.between(SITS_MS.from, SITS_MS.to));
    if (this.settled) return;
    if (chance.happens(0.5) || socket.readyState !== WebSocket.OPEN) return socket.terminate();
    socket.resume();
    socket.close();
    // A hub that is frozen does not answer a close.
    await Promise.race([once(socket, 'close'), this.pauses.pause(SITS_MS.to)]);
    socket.terminate();
  }

  private async indulge(socket: WebSocket): Promise<void> {
    const { chance, threads } = this.seat;
    while (socket.readyState !== WebSocket.CLOSED && !this.settled && !this.stopped) {
      await this.pauses.pause(WHIM_MS);
      if (this.settled || socket.readyState !== WebSocket.OPEN) continue;
      if (this.habits.stalls && chance.happens(0.3)) await this.stall(socket);
      if (this.habits.fickle && chance.happens(0.3)) this.whim(chance.one(threads));
    }
  }

  private async stall(socket: WebSocket): Promise<void> {
    socket.pause();
    await this.pauses.pause(this.seat.chance.between(STALL_MS.from, STALL_MS.to));
    socket.resume();
  }

  private whim(threadId: string): void {
    const { chance } = this.seat;
    const thread = this.threads.get(threadId);
    if (!thread || thread.asking > 0) return;
    const kind = chance.between(1, 3);
    if (kind === 1) this.subscribe(threadId, undefined);
    if (kind === 2 && thread.passed.length > 0) this.subscribe(threadId, chance.one(thread.passed));
    if (kind === 3) {
      this.send('unsubscribe', { threadId });
      this.subscribe(threadId, thread.pos);
    }
  }

  private subscribe(threadId: string, from: string | undefined): void {
    const thread = this.threads.get(threadId);
    if (!thread || this.socket?.readyState !== WebSocket.OPEN) return;
    // Without a place nothing is rewound: what comes meanwhile counts.
    const rewinds = from !== undefined;
    if (rewinds) this.pages.add(threadId, { kind: 'asked' });
    if (rewinds) thread.asking += 1;
    const id = this.send('subscribe', from === undefined ? { threadId } : { threadId, from });
    this.asked.set(id, { threadId, from });
  }

  private send(event: string, data: unknown): string {
    const id = `q${(this.requests += 1)}`;
    this.socket?.send(JSON.stringify({ event, id, data }), () => undefined);
    return id;
  }

  private hear(socket: WebSocket, text: string): void {
    const frame = JSON.parse(text) as Frame;
    const asked = frame.id === undefined ? undefined : this.asked.get(frame.id);
    const { threadId = asked?.threadId ?? '' } = (frame.data ?? {}) as { threadId?: string };
    this.pages.search(threadId === '' ? this.firstThread : threadId, text);
    if (socket !== this.socket || this.stopped) return;
    if (asked && frame.id !== undefined) return this.answer(frame, { ...asked, id: frame.id });
    const thread = this.threads.get(threadId);
    if (thread) this.take(threadId, frame, thread);
  }

  private take(threadId: string, frame: Frame, thread: Thread): void {
    const { pos, events, prev, seqs } = frame.data as unknown as AguiData & SnapshotData;
    if (frame.event === 'unsubscribed') return this.unseated(threadId, thread);
    if (frame.event === 'snapshot') this.pages.add(threadId, { kind: 'snapshot', pos, events });
    else if (frame.event === 'agui')
      this.pages.add(threadId, { kind: 'events', prev, pos, events, ...(seqs && { seqs }) });
    else if (frame.event === 'head') this.pages.add(threadId, { kind: 'head', pos });
    else return;
    if (thread.asking > 0) return;
    if (frame.event === 'snapshot') thread.passed = [];
    thread.pos = pos;
    thread.passed = [...thread.passed, pos].slice(-REMEMBERED);
    if (this.habits.acks) this.send('ack', { threadId, pos });
  }

  private answer(
    frame: Frame,
    { id, threadId, from }: { id: string; threadId: string; from: string | undefined },
  ): void {
    this.asked.delete(id);
    const thread = this.threads.get(threadId);
    if (!thread) return;
    if (from !== undefined) thread.asking -= 1;
    if (frame.event === 'refused') {
      this.pages.add(threadId, { kind: 'lost' });
      return this.againSoon(threadId, thread.pos);
    }
    const recovered = frame.data['recovered'] as 'replay' | 'snapshot' | undefined;
    if (recovered === undefined && from === undefined) return;
    this.pages.add(threadId, {
      kind: 'answered',
      ...(recovered === undefined ? {} : { recovered }),
      ...(from === undefined ? {} : { from }),
    });
    if (recovered !== 'snapshot' && from !== undefined) thread.pos = from;
  }

  private lose(threadId: string, thread: Thread): void {
    thread.asking = 0;
    this.pages.add(threadId, { kind: 'lost' });
  }

  private unseated(threadId: string, thread: Thread): void {
    this.lose(threadId, thread);
    this.againSoon(threadId, thread.pos);
  }

  private againSoon(threadId: string, from: string | undefined): void {
    const { socket } = this;
    const { chance } = this.seat;
    setTimeout(
      () => {
        if (socket === this.socket) this.subscribe(threadId, from);
      },
      chance.between(AGAIN_MS.from, AGAIN_MS.to),
    );
  }
}
