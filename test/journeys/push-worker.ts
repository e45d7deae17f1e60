/** An agent that comes by itself over a socket: a plain `ws` client that takes what it is offered and says what it is told to. */
import { once } from 'node:events';
import { SUBPROTOCOL, type RunAgentInput } from '@triptych/protocol';
import { until } from '@triptych/testkit';
import { WebSocket } from 'ws';

export interface Told {
  readonly event: string;
  readonly id?: string;
  readonly data: Record<string, unknown>;
}

export class PushWorker {
  readonly frames: Told[] = [];
  closed: number | undefined;
  private asked = 0;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data) => this.frames.push(JSON.parse(String(data)) as Told));
    socket.on('close', (code) => (this.closed = code));
    // `close` always follows; without a listener `ws` would throw it.
    socket.on('error', () => undefined);
  }

  static async open(hub: string, token: string): Promise<PushWorker> {
    const socket = new WebSocket(`${hub.replace(/^http/u, 'ws')}/ws/agent`, [SUBPROTOCOL, `bearer.${token}`]);
    const worker = new PushWorker(socket);
    await once(socket, 'open');
    await worker.next('ready');
    return worker;
  }

  async next(event: string, fits: (data: Told['data']) => boolean = () => true): Promise<Told> {
    const found = (): Told | undefined =>
      this.frames.find((frame) => frame.event === event && fits(frame.data));
    await until(() => found() !== undefined);
    return found() as Told;
  }

  /** The answer to one frame. */
  async ask(event: string, data: object): Promise<Told> {
    const id = `a${(this.asked += 1)}`;
    this.socket.send(JSON.stringify({ event, id, data }));
    await until(() => this.frames.some((frame) => frame.id === id) || this.closed !== undefined);
    return this.frames.find((frame) => frame.id === id) ?? { event: `closed ${this.closed}`, data: {} };
  }

  append(threadId: string, events: readonly object[], seq: number, epoch = 0): Promise<Told> {
    return this.ask('append', { threadId, producer: { id: 'w', epoch, seq }, events });
  }

  /** Takes the first offer on the thread that is not this run. */
  async take(threadId: string, not?: string): Promise<RunAgentInput> {
    const offer = await this.next('run.offer', (data) => data.threadId === threadId && data.runId !== not);
    const taken = await this.ask('run.take', offer.data);
    return (taken.data as { input: RunAgentInput }).input;
  }

  async close(): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED) return;
    const gone = once(this.socket, 'close');
    this.socket.close();
    await gone;
  }
}
