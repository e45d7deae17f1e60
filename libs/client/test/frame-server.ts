/** A real `ws` server that speaks the hub's frames as a test tells it to. */
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { SUBPROTOCOL, type ClientFrame } from '@triptych/protocol';

type Waiter = {
  readonly fits: (frame: ClientFrame) => boolean;
  readonly resolve: (got: ReceivedFrame) => void;
};

export interface ReceivedFrame {
  readonly frame: ClientFrame;
  readonly peer: Peer;
}

/** One accepted connection. */
export class Peer {
  constructor(
    private readonly socket: WebSocket,
    readonly protocols: string,
    readonly path: string,
  ) {}

  send(event: string, data: unknown = {}, id?: string): void {
    this.socket.send(JSON.stringify(id === undefined ? { event, data } : { event, id, data }));
  }

  sendText(text: string): void {
    this.socket.send(text);
  }

  ready(heartbeatMs = 60_000, limits: Readonly<Record<string, number>> = {}): void {
    this.send('ready', { session: 's', surface: 'customer', subject: 'amelia', heartbeatMs, limits });
  }

  close(code: number): void {
    this.socket.close(code);
  }

  /** The wire is cut: no closing handshake. */
  cut(): void {
    this.socket.terminate();
  }
}

export class FrameServer {
  /** Every frame ever received, in order. */
  readonly received: ReceivedFrame[] = [];
  private readonly waiters: Waiter[] = [];
  private readonly peers: Peer[] = [];
  private readonly peerWaiters: ((peer: Peer) => void)[] = [];

  private constructor(private readonly server: WebSocketServer) {
    server.on('connection', (socket, request) => {
      const peer = new Peer(socket, request.headers['sec-websocket-protocol'] ?? '', request.url ?? '');
      socket.on('message', (data) => this.take({ frame: JSON.parse(String(data)) as ClientFrame, peer }));
      const waiter = this.peerWaiters.shift();
      if (waiter) waiter(peer);
      else this.peers.push(peer);
    });
  }

  static async start(): Promise<FrameServer> {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => SUBPROTOCOL });
    await new Promise<void>((resolve) => server.once('listening', resolve));
    return new FrameServer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The next connection not yet taken. */
  peer(): Promise<Peer> {
    const waiting = this.peers.shift();
    return waiting ? Promise.resolve(waiting) : new Promise((resolve) => this.peerWaiters.push(resolve));
  }

  /** The next frame of that name that no earlier call has taken. */
  frame(event: string): Promise<ReceivedFrame> {
    const fits = (frame: ClientFrame) => frame.event === event;
    const at = this.received.findIndex(({ frame }) => fits(frame));
    if (at >= 0) return Promise.resolve(this.received.splice(at, 1)[0] as ReceivedFrame);
    return new Promise((resolve) => this.waiters.push({ fits, resolve }));
  }

  async stop(): Promise<void> {
    for (const client of this.server.clients) client.terminate();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private take(got: ReceivedFrame): void {
    const at = this.waiters.findIndex(({ fits }) => fits(got.frame));
    if (at >= 0) this.waiters.splice(at, 1)[0]?.resolve(got);
    else this.received.push(got);
  }
}
