/** A client on a real socket that keeps every frame, as text and as what it says. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AguiEvent } from '@triptych/protocol';
import { WebSocket, WebSocketServer } from 'ws';

export interface Frame {
  readonly event: string;
  readonly id?: string;
  readonly data: Readonly<Record<string, unknown>> & { readonly events?: readonly AguiEvent[] };
}

export class SocketClient {
  readonly texts: string[] = [];
  readonly frames: Frame[] = [];
  closed: number | undefined;
  private waiting: (() => void)[] = [];
  private ids = 0;

  constructor(readonly socket: WebSocket) {
    socket.on('message', (data) => {
      const text = String(data);
      this.texts.push(text);
      this.frames.push(JSON.parse(text) as Frame);
      this.wake();
    });
    socket.on('close', (code) => {
      this.closed = code;
      this.wake();
    });
    socket.on('error', () => undefined);
  }

  send(frame: object | string | Buffer): void {
    this.socket.send(typeof frame === 'object' && !Buffer.isBuffer(frame) ? JSON.stringify(frame) : frame);
  }

  /** Sends with an id and waits for what answers it. */
  async ask(event: string, data?: object): Promise<Frame> {
    this.ids += 1;
    const id = `q${this.ids}`;
    this.send({ event, id, ...(data && { data }) });
    return this.until(() => this.frames.find((frame) => frame.id === id));
  }

  next(event: string, nth = 0): Promise<Frame> {
    return this.until(() => this.frames.filter((frame) => frame.event === event)[nth]);
  }

  async until<T>(found: () => T | undefined): Promise<T> {
    for (let value = found(); ; value = found()) {
      if (value !== undefined) return value;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  closing(): Promise<number> {
    return this.until(() => this.closed);
  }

  private wake(): void {
    for (const wake of this.waiting.splice(0)) wake();
  }
}

/** A WebSocket server on loopback; `onSocket` gets each socket and the connection under it. */
export const socketServer = async (
  onSocket: (socket: WebSocket, raw: Duplex) => void,
  maxPayload = 1_000_000,
) => {
  const server: Server = createServer();
  const sockets = new WebSocketServer({ server, perMessageDeflate: false, maxPayload });
  sockets.on('connection', (socket, request) => {
    // The library closes it; whoever lets sockets in writes it down.
    socket.on('error', () => undefined);
    onSocket(socket, request.socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clients: WebSocket[] = [];
  return {
    port,
    connect: async (): Promise<SocketClient> => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}`);
      clients.push(socket);
      const client = new SocketClient(socket);
      await once(socket, 'open');
      return client;
    },
    close: async (): Promise<void> => {
      for (const client of clients) client.terminate();
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      server.close();
      await once(server, 'close');
    },
  };
};
