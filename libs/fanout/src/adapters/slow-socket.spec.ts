/** Proves what happens on lines that are slow, or carry much. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { verifies } from '../../../../test/spec/verifies.js';
import { linesOf, start, stopAll } from '../../test/session-stand.js';
import { settled, THREAD } from '../../test/stand.js';
import { note, wholeOf } from '../../test/story.js';

afterEach(stopAll);

describe('a line that does not take what it is given', () => {
  /** A peer that speaks just enough to be let in, and then does not read. */
  const deafPeer = async (port: number): Promise<Socket> => {
    const peer = connect(port, '127.0.0.1');
    await once(peer, 'connect');
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13';
    peer.write(`GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${key}\r\n\r\n`);
    await once(peer, 'data');
    peer.pause();
    const frame = Buffer.from(JSON.stringify({ event: 'subscribe', data: { threadId: THREAD } }));
    peer.write(Buffer.concat([Buffer.from([0x81, 0x80 | frame.length, 0, 0, 0, 0]), frame]));
    return peer;
  };

  verifies('FAN-21', 'is closed with 4408 while the others go on', async () => {
    const { client, server, log, time, rooms } = await start();
    const peer = await deafPeer(server.port);
    await client.ask('subscribe', { threadId: THREAD });
    while (rooms.readersOf(THREAD).length < 2) await settled();
    const slow = () => rooms.readersOf(THREAD).find(({ reader }) => reader.unsent() > 0);
    for (let nth = 0; nth < 200 && slow()?.paused !== true; nth += 1) {
      log.write(THREAD, [note(`${nth}${'x'.repeat(200_000)}`)]);
      time.advance(25);
      await settled();
    }
    expect(slow()?.paused).toBe(true);
    expect(slow()!.unsent).toBeLessThan(1_000_000);
    await client.until(() =>
      linesOf(client).lines.length === log.entriesOf(THREAD).length ? true : undefined,
    );
    for (let second = 0; second < 31; second += 1) {
      time.advance(1_000);
      await client.ask('ping');
    }
    expect(rooms.readersOf(THREAD)).toHaveLength(1);
    const gone = once(peer, 'close');
    time.advance(6_000);
    peer.resume();
    await gone;
    expect(linesOf(client).lines).toEqual(wholeOf('customer', log.entriesOf(THREAD)));
  });

  verifies(
    'FAN-25',
    'a large frame goes in slices, in one piece for the reader, in order with the rest',
    async () => {
      const { client, log, time } = await start();
      await client.ask('subscribe', { threadId: THREAD });
      log.write(THREAD, [note(`😀${'x'.repeat(700_001)}`)]);
      time.advance(25);
      log.write(THREAD, [note('small')]);
      await client.ask('ping');
      while (client.frames.filter(({ event }) => event === 'agui').length < 2) {
        time.advance(50);
        await settled();
      }
      expect(linesOf(client).lines).toEqual(wholeOf('customer', log.entriesOf(THREAD)));
    },
  );
});
