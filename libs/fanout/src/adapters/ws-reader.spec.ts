/** Proves what is written to connections past the library: once for all, whole, and never after a good-bye. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { asPosition } from '@triptych/protocol';
import { WebSocket, WebSocketServer } from 'ws';
import { verifies } from '../../../../test/spec/verifies.js';
import { settled, THREAD } from '../../test/stand.js';
import { snapshotDelivery, type Delivery } from '../core/delivery.js';
import { asSaid } from '../core/said.js';
import { WsReader } from './ws-reader.js';

const deliveryOf = (text: string): Delivery =>
  snapshotDelivery({
    threadId: THREAD,
    pos: asPosition('p'.repeat(48)),
    reason: 'join',
    events: [JSON.stringify({ type: 'CUSTOM', name: 'note', value: text })],
  });

interface Line {
  readonly reader: WsReader;
  readonly socket: WebSocket;
  readonly raw: Duplex;
  readonly client: WebSocket;
  readonly heard: string[];
}

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A server and `count` clients, each with a reader on the server's side. */
const lines = async (count: number, perMessageDeflate = false): Promise<readonly Line[]> => {
  const http = createServer();
  const server = new WebSocketServer({ server: http, perMessageDeflate });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  closers.push(() => http.close());
  const opened: Line[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const accepted = once(server, 'connection');
    const client = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`);
    const heard: string[] = [];
    client.on('message', (data) => heard.push(String(data)));
    closers.push(() => client.terminate());
    const [[socket, { socket: raw }]] = (await Promise.all([accepted, once(client, 'open')])) as unknown as [
      [WebSocket, { socket: Duplex }],
    ];
    const reader = new WsReader({ socket, raw, onClose: () => undefined });
    opened.push({ reader, socket, raw, client, heard });
  }
  return opened;
};

/** Keeps what is written to a connection from now on. */
const written = ({ raw }: Line): unknown[] => {
  const chunks: unknown[] = [];
  const write = raw.write.bind(raw) as (...args: unknown[]) => boolean;
  raw.write = ((...args: unknown[]) => {
    chunks.push(args[0]);
    return write(...args);
  }) as typeof raw.write;
  return chunks;
};

const heardBy = async ({ client, heard }: Line, count: number): Promise<readonly string[]> => {
  while (heard.length < count) await once(client, 'message');
  return heard;
};

describe('a delivery to many sockets', () => {
  verifies('FAN-53', 'is framed once: every connection is written the very same bytes', async () => {
    const all = await lines(3);
    const chunks = all.map(written);
    const [first, second] = [deliveryOf('Grüezi 👋'), deliveryOf('x'.repeat(200))];
    for (const delivery of [first, second]) for (const { reader } of all) reader.deliver(delivery);
    for (const line of all) expect(await heardBy(line, 2)).toEqual([first.frame(), second.frame()]);
    for (const [nth, chunk] of chunks[0]!.entries()) {
      expect(chunks.map((one) => one.length)).toEqual([2, 2, 2]);
      for (const other of chunks) expect(other[nth]).toBe(chunk);
    }
  });

  verifies('FAN-65', 'and so is what all of them are told alike', async () => {
    const all = await lines(2);
    const chunks = all.map(written);
    const said = asSaid('thread', { threadId: THREAD, status: 'idle' });
    for (const { reader } of all) reader.tell(said);
    for (const line of all) expect(await heardBy(line, 1)).toEqual([said.text]);
    expect(chunks[0]![0]).toBe(chunks[1]![0]);
  });

  verifies('FAN-53', 'also when deliveries of several threads take turns', async () => {
    const all = await lines(2);
    const chunks = all.map(written);
    const [one, other] = [deliveryOf('one'), deliveryOf('other')];
    for (const { reader } of all) for (const delivery of [one, other, one]) reader.deliver(delivery);
    for (const line of all) expect(await heardBy(line, 3)).toEqual([one.frame(), other.frame(), one.frame()]);
    expect(chunks[0]![0]).toBe(chunks[1]![2]);
  });

  verifies('FAN-53', 'every length has its header: short, long, and sliced', async () => {
    const [line] = await lines(1);
    const texts = [1, 20, 126, 1_000, 65_000, 65_536, 200_000].map((length) =>
      deliveryOf('é'.repeat(length)),
    );
    for (const delivery of texts) line!.reader.deliver(delivery);
    expect(await heardBy(line!, texts.length)).toEqual(texts.map((delivery) => delivery.frame()));
  });

  verifies('FAN-54', 'a compressed connection is left to the library', async () => {
    const [line] = await lines(1, true);
    expect(line!.socket.extensions).toContain('permessage-deflate');
    const delivery = deliveryOf('z'.repeat(5_000));
    line!.reader.deliver(delivery);
    expect(await heardBy(line!, 1)).toEqual([delivery.frame()]);
  });
});

describe('a socket that has said good-bye', () => {
  verifies('FAN-54', 'is written nothing more, whoever said it first', async () => {
    const all = await lines(2);
    const [ours, theirs] = all as [Line, Line];
    ours.socket.close(1000);
    const goodbye = once(theirs.socket, 'close');
    theirs.client.close(1000);
    while (theirs.socket.readyState === WebSocket.OPEN) await settled();
    const chunks = all.map(written);
    for (const { reader } of all) reader.deliver(deliveryOf('late'));
    expect(chunks).toEqual([[], []]);
    await goodbye;
    for (const { reader } of all) reader.deliver(deliveryOf('later'));
    expect(chunks).toEqual([[], []]);
  });
});

describe('bytes that wait', () => {
  verifies('FAN-54', 'are counted alike, whoever wrote them', async () => {
    const [line] = await lines(1);
    const { reader, socket, raw, client } = line!;
    client.pause();
    for (let nth = 0; nth < 4_000 && reader.unsent() === 0; nth += 1)
      reader.deliver(deliveryOf('x'.repeat(60_000)));
    reader.deliver(deliveryOf('y'.repeat(300_000)));
    expect(reader.unsent()).toBeGreaterThan(300_000 - 65_536);
    expect(socket.bufferedAmount).toBe(raw.writableLength);
    client.resume();
    while (reader.unsent() > 0) await once(client, 'message');
    expect(reader.unsent()).toBe(0);
  });

  verifies('FAN-63', 'end the pouring soon, and whatever was poured arrives', async () => {
    const [line] = await lines(1);
    const { reader, client } = line!;
    client.pause();
    let poured = 0;
    while (poured < 4_000 && reader.pour(deliveryOf('x'.repeat(30_000)))) poured += 1;
    expect(poured).toBeLessThan(4_000);
    expect(reader.unsent()).toBeLessThan(128 * 1024);
    client.resume();
    await heardBy(line!, poured);
    while (reader.unsent() > 0) await settled();
    expect(reader.pour(deliveryOf('again'))).toBe(true);
    expect((await heardBy(line!, poured + 1)).at(-1)).toBe(deliveryOf('again').frame());
  });

  verifies('FAN-63', 'in slices come first: nothing is poured into the middle of a message', async () => {
    const [line] = await lines(1);
    const { reader } = line!;
    const [large, small] = [deliveryOf('y'.repeat(200_000)), deliveryOf('small')];
    expect(reader.pour(large)).toBe(true);
    if (!reader.pour(small)) reader.deliver(small);
    expect(await heardBy(line!, 2)).toEqual([large.frame(), small.frame()]);
  });
});
