/** Proves the plain line over a real socket. */
import { jest } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { CLOSE, type AguiEvent } from '@triptych/protocol';
import type { WebSocket } from 'ws';
import { verifies } from '../../../../test/spec/verifies.js';
import { socketServer, type SocketClient } from '../../test/socket-client.js';
import { settled, stand, THREAD } from '../../test/stand.js';
import { note, text } from '../../test/story.js';
import type { StreamLine } from '../core/stream-line.js';
import { pulseOn } from '../shell/pulse.js';
import { servePlain } from './serve-stream.js';
import { wsLine } from './ws-line.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const HOUR_MS = 3_600_000;

/** The thread from its first event on, on every socket that comes. */
const start = async (lastsMs = HOUR_MS) => {
  const on = stand();
  on.log.append(THREAD, [note(0)]);
  const report = (_what: string, error: unknown): void => void on.failures.push(error);
  const pulse = pulseOn({ timers: on.time, clock: on.time, report });
  const lines: StreamLine[] = [];
  const sockets: WebSocket[] = [];
  const server = await socketServer((socket) => {
    const line = wsLine({ socket, pulse, clock: on.time, expiresAt: on.time.now() + lastsMs });
    lines.push(line);
    sockets.push(socket);
    const until = ({ json }: { readonly json: string }) => (json.includes('"end"') ? 'last' : 'on');
    void servePlain({
      rooms: on.rooms,
      thread: THREAD,
      surface: 'customer',
      line,
      from: { afterSeq: 0 },
      until,
    });
  });
  closers.push(async () => {
    on.rooms.close();
    pulse.stop();
    await server.close();
  });
  return { ...on, server, lines, sockets };
};

const told = ({ texts }: SocketClient): AguiEvent[] => texts.map((one) => JSON.parse(one) as AguiEvent);
const came = (client: SocketClient, count: number) =>
  client.until(() => (client.texts.length >= count ? true : undefined));

describe('a plain line', () => {
  verifies(
    'FAN-47',
    'has one bare event a text frame, large ones in one piece, and 1000 after the last',
    async () => {
      const { server, log, time, rooms } = await start();
      const client = await server.connect();
      await came(client, 1);
      const large = note(`😀${'x'.repeat(700_001)}`);
      log.write(THREAD, [large, text('a', 'x'), note('end'), note('after')]);
      while (client.closed === undefined) {
        time.advance(25);
        await settled();
      }
      expect(client.closed).toBe(1000);
      expect(told(client)).toEqual([note(0), large, text('a', 'x'), note('end')]);
      while (rooms.readersOf(THREAD).length > 0) await settled();
    },
  );

  verifies('FAN-47', 'is left at once by whoever closes it', async () => {
    const { server, rooms } = await start();
    const client = await server.connect();
    await came(client, 1);
    client.socket.close();
    while (rooms.readersOf(THREAD).length > 0) await settled();
  });

  verifies('FAN-72', 'says that it closed also to whoever asks only then', async () => {
    const { server, rooms, lines } = await start();
    const client = await server.connect();
    await came(client, 1);
    client.socket.close();
    while (rooms.readersOf(THREAD).length > 0) await settled();
    let heard = false;
    lines[0]!.onceClosed(() => (heard = true));
    expect(heard).toBe(true);
  });

  verifies('FAN-41', 'ends with 4401 when its token does', async () => {
    const { server, time } = await start(20_000);
    const client = await server.connect();
    await came(client, 1);
    time.advance(20_000);
    expect(await client.closing()).toBe(CLOSE.UNAUTHENTICATED.code);
  });

  verifies(
    'FAN-47',
    'is pinged while it is quiet; one that gives no sign for a heartbeat is dropped',
    async () => {
      const { server, time } = await start();
      const client = await server.connect();
      await came(client, 1);
      const pinged = once(client.socket, 'ping');
      time.advance(25_000);
      await pinged;
      // An answer is a sign of life; a peer that never gives one has none.
      await settled();
      time.advance(25_000);
      await settled();
      expect(client.closed).toBeUndefined();
      client.socket.pause();
      time.advance(25_000);
      time.advance(25_000);
      client.socket.resume();
      expect(await client.closing()).toBe(1006);
    },
  );

  verifies('FAN-47', 'is given up with 4408 when nothing is taken for 30 s, and then let go of', async () => {
    const { server, rooms, log, time, lines, sockets } = await start();
    const peer = connect(server.port, '127.0.0.1');
    await once(peer, 'connect');
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13';
    peer.write(`GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${key}\r\n\r\n`);
    await once(peer, 'data');
    peer.pause();
    const reader = () => rooms.readersOf(THREAD)[0];
    while (reader() === undefined) await settled();
    for (let nth = 0; nth < 200 && reader()?.paused !== true; nth += 1) {
      log.write(THREAD, [note('x'.repeat(200_000))]);
      time.advance(25);
      await settled();
    }
    expect(reader()?.paused).toBe(true);
    expect(lines[0]!.unsent()).toBeLessThan(1_000_000);
    const closing = jest.spyOn(sockets[0]!, 'close');
    for (let second = 0; second < 31; second += 1) time.advance(1_000);
    expect(closing.mock.calls[0]).toEqual([CLOSE.SLOW.code]);
    expect(rooms.readersOf(THREAD)).toEqual([]);
    peer.destroy();
  });
});
