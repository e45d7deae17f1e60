/** A TCP relay that a test can make misbehave: swallow bytes without a word, or cut connections. */
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';

export interface TcpProxy {
  readonly url: string;
  /** From now on nothing passes towards the client on the connections of this moment, and nobody is told. */
  freeze(): void;
  /** Calls back with each piece on its way to the server, after it was passed on. */
  onRequest(seen: (bytes: string) => void): void;
  /** Resets every connection. */
  cut(): void;
  stop(): Promise<void>;
}

export const startTcpProxy = async (target: string): Promise<TcpProxy> => {
  const { hostname, port } = new URL(target);
  const pairs = new Set<{ client: Socket; server: Socket; frozen: boolean }>();
  let seen: (bytes: string) => void = () => undefined;
  const relay = net.createServer((client) => {
    const server = net.connect(Number(port), hostname);
    const pair = { client, server, frozen: false };
    pairs.add(pair);
    client.on('data', (bytes) => {
      server.write(bytes);
      seen(bytes.toString('latin1'));
    });
    server.on('data', (bytes) => {
      if (!pair.frozen) client.write(bytes);
    });
    const end = (): void => {
      pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const cut = (): void => {
    for (const { client } of pairs) client.resetAndDestroy();
  };
  return {
    url: `redis://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    freeze: () => {
      for (const pair of pairs) pair.frozen = true;
    },
    onRequest: (callback) => (seen = callback),
    cut,
    stop: async () => {
      relay.close();
      cut();
      await once(relay, 'close');
    },
  };
};
