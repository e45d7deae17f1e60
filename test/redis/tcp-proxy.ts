/** A TCP relay that a test can make misbehave: fall silent, lose replies, crawl, lag, or cut connections, also in mid-frame. */
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

/** A slow line moves this often, ms: seldom enough to be cheap, often enough to be seen to move. */
const SLOW_TICK_MS = 100;
/** A reset takes along what its receiver has not read yet: the half must have been read, ms. */
const TORN_AFTER_MS = 20;

export interface TcpProxy {
  /** As the target's, at the relay's port. */
  readonly url: string;
  readonly connections: number;
  /** From now on nothing passes towards the client on the connections of this moment, and nobody is told. */
  freeze(): void;
  /** The connections of this moment are half-open: nothing passes either way, nobody is told, until `heal`. */
  hang(): void;
  /** Every connection passes at most so many bytes a second towards its client, the rest waits. */
  crawl(bytesPerSecond: number): void;
  /** Every piece towards a client comes so much later. */
  lag(ms: number): void;
  /** Of the next piece towards each client only the first half arrives, then the connection is reset. */
  tear(): void;
  /**
   * Resolves at the first piece on its way to the server that matches. From then on nothing passes either way until
   * `heal`; that piece was the last to, if it `passes`.
   */
  stopAt(matches: (bytes: string) => boolean, passes: boolean): Promise<void>;
  /** Calls back with each piece on its way to the server, after it was passed on. */
  onRequest(seen: (bytes: string) => void): void;
  /** Resets every connection. */
  cut(): void;
  /** Ends every misbehaviour that is under way; what hung goes on. */
  heal(): void;
  stop(): Promise<void>;
}

interface Trap {
  readonly matches: (bytes: string) => boolean;
  readonly passes: boolean;
  readonly sprung: () => void;
}

interface Faults {
  bytesPerSecond: number | undefined;
  lagMs: number;
  trap: Trap | undefined;
  /** What passes no more may be lost for good: whoever sent it is about to die. */
  stopped: boolean;
}

type Bytes = AsyncIterable<Buffer>;

class Pair {
  private frozen = false;
  private torn = false;
  private hanging: { readonly over: Promise<void>; readonly end: () => void } | undefined;

  constructor(
    readonly client: Socket,
    server: Socket,
    options: { faults: Faults; seen: (bytes: string) => void; gone: () => void },
  ) {
    const end = (): void => {
      options.gone();
      this.heal();
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.on('close', end);
    pipeline(client, (bytes: Bytes) => this.towardsServer(bytes, options), server, end);
    pipeline(server, (bytes: Bytes) => this.towardsClient(bytes, options.faults), client, end);
  }

  freeze(): void {
    this.frozen = true;
  }

  hang(): void {
    if (this.hanging) return;
    let end = (): void => undefined;
    const over = new Promise<void>((resolve) => (end = resolve));
    this.hanging = { over, end };
  }

  tear(): void {
    this.torn = true;
  }

  heal(): void {
    this.torn = false;
    this.hanging?.end();
    this.hanging = undefined;
  }

  private async *towardsServer(
    source: Bytes,
    { faults, seen }: { faults: Faults; seen: (bytes: string) => void },
  ): AsyncGenerator<Buffer> {
    for await (const bytes of source) {
      await this.hanging?.over;
      if (faults.stopped) continue;
      const text = bytes.toString('latin1');
      if (faults.trap?.matches(text) !== true || spring(faults, faults.trap)) yield bytes;
      seen(text);
    }
  }

  /** Waiting holds the source back, as a full line does. */
  private async *towardsClient(source: Bytes, faults: Faults): AsyncGenerator<Buffer> {
    for await (const bytes of source) {
      await this.hanging?.over;
      if (this.frozen || faults.stopped) continue;
      if (this.torn) yield* this.tearApart(bytes);
      else yield* late(bytes, faults);
    }
  }

  private async *tearApart(bytes: Buffer): AsyncGenerator<Buffer> {
    yield bytes.subarray(0, Math.ceil(bytes.length / 2));
    await pause(TORN_AFTER_MS);
    this.client.resetAndDestroy();
  }
}

/** True: what sprang it may still pass. */
const spring = (faults: Faults, { passes, sprung }: Trap): boolean => {
  Object.assign(faults, { stopped: true, trap: undefined });
  sprung();
  return passes;
};

async function* late(bytes: Buffer, faults: Faults): AsyncGenerator<Buffer> {
  if (faults.lagMs > 0) await pause(faults.lagMs);
  let left = bytes;
  while (faults.bytesPerSecond !== undefined && left.length > 0) {
    const most = Math.ceil((faults.bytesPerSecond * SLOW_TICK_MS) / 1_000);
    yield left.subarray(0, most);
    left = left.subarray(most);
    await pause(SLOW_TICK_MS);
  }
  if (left.length > 0) yield left;
}

export const startTcpProxy = async (target: string): Promise<TcpProxy> => {
  const { hostname, port, protocol } = new URL(target);
  const pairs = new Set<Pair>();
  const faults: Faults = { bytesPerSecond: undefined, lagMs: 0, trap: undefined, stopped: false };
  let seen: (bytes: string) => void = () => undefined;
  const relay = net.createServer((client) => {
    const server = net.connect(Number(port), hostname);
    const gone = (): void => void pairs.delete(pair);
    const pair = new Pair(client, server, { faults, seen: (bytes) => seen(bytes), gone });
    pairs.add(pair);
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const cut = (): void => {
    for (const { client } of pairs) client.resetAndDestroy();
  };
  return {
    url: `${protocol}//127.0.0.1:${(relay.address() as AddressInfo).port}`,
    get connections() {
      return pairs.size;
    },
    freeze: () => [...pairs].forEach((pair) => pair.freeze()),
    hang: () => [...pairs].forEach((pair) => pair.hang()),
    crawl: (bytesPerSecond) => (faults.bytesPerSecond = bytesPerSecond),
    lag: (ms) => (faults.lagMs = ms),
    tear: () => [...pairs].forEach((pair) => pair.tear()),
    stopAt: (matches, passes) =>
      new Promise((sprung) => {
        faults.trap = { matches, passes, sprung };
      }),
    onRequest: (callback) => (seen = callback),
    cut,
    heal: () => {
      Object.assign(faults, { bytesPerSecond: undefined, lagMs: 0, trap: undefined, stopped: false });
      for (const pair of pairs) pair.heal();
    },
    stop: async () => {
      relay.close();
      cut();
      if (relay.listening || pairs.size > 0) await once(relay, 'close');
    },
  };
};
