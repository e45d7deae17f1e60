/** A client in front of a server that does as the test says, on a clock that the test moves. */
import { WebSocket } from 'ws';
import type { SocketConstructor } from '../src/adapters/socket-line.js';
import { HubClient, type HubClientOptions } from '../src/hub-client.js';
import type { ConnectionState } from '../src/core/connection.js';
import { FrameServer, type Peer } from './frame-server.js';
import { HandClock } from './hand-clock.js';

export class ClientStage {
  readonly clock = new HandClock();
  /** What was asked of the token source: whether a fresh one was wanted. */
  readonly tokens: boolean[] = [];
  readonly reported: unknown[] = [];
  private readonly clients: HubClient[] = [];
  private ids = 0;

  private constructor(readonly server: FrameServer) {}

  static async open(): Promise<ClientStage> {
    return new ClientStage(await FrameServer.start());
  }

  client(more: Partial<HubClientOptions> = {}): HubClient {
    const client = new HubClient({
      url: this.server.url,
      surface: 'customer',
      getToken: ({ fresh }) => {
        this.tokens.push(fresh);
        return Promise.resolve(`token${this.tokens.length}`);
      },
      WebSocketImpl: WebSocket as unknown as SocketConstructor,
      clock: this.clock,
      random: () => 0.5,
      newId: () => `id${(this.ids += 1)}`,
      report: (error) => void this.reported.push(error),
      ...more,
    });
    this.clients.push(client);
    return client;
  }

  /** A started client, its connection ready. */
  async ready(more: Partial<HubClientOptions> = {}): Promise<{ client: HubClient; peer: Peer }> {
    const client = this.client(more);
    client.start();
    const peer = await this.server.peer();
    peer.ready();
    await stateOf(client, 'ready');
    return { client, peer };
  }

  async close(): Promise<void> {
    for (const client of this.clients) client.stop();
    await this.server.stop();
  }
}

/** The client's state once it is of that name. */
export const stateOf = (client: HubClient, name: ConnectionState['state']): Promise<ConnectionState> =>
  new Promise((resolve) => {
    if (client.state.state === name) return resolve(client.state);
    const stop = client.onState((state) => {
      if (state.state !== name) return;
      stop();
      resolve(state);
    });
  });
