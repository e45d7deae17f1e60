/** Proves the streams over real HTTP. */
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asPosition, type AguiEvent } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { settled, stand, THREAD } from '../../test/stand.js';
import { foldAll, note, projection, secret, split, text, wholeOf } from '../../test/story.js';
import { pulseOn } from '../shell/pulse.js';
import { httpLine } from './http-line.js';
import { serveAttach, servePlain, type OpenStream, type PlainRequest } from './serve-stream.js';
import { EVENT_STREAM } from './stream-encodings.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** An event stream as it came, byte for byte. */
class Stream {
  raw = '';
  ended = false;
  private waiting: (() => void)[] = [];

  constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      this.raw += chunk;
      this.wake();
    });
    for (const end of ['end', 'error', 'close'] as const)
      response.on(end, () => {
        this.ended = true;
        this.wake();
      });
  }

  get blocks(): readonly string[] {
    return this.raw.split('\n\n').slice(0, -1);
  }

  get events(): readonly AguiEvent[] {
    return this.blocks.flatMap((block) => {
      const data = block.split('\n').filter((line) => line.startsWith('data: '));
      return data.length === 0 ? [] : [JSON.parse(data.map((line) => line.slice(6)).join('\n')) as AguiEvent];
    });
  }

  get ids(): readonly (string | undefined)[] {
    return this.blocks.map((block) => /^id: (.*)$/m.exec(block)?.[1]);
  }

  async until(done: () => boolean): Promise<void> {
    while (!done()) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private wake(): void {
    for (const wake of this.waiting.splice(0)) wake();
  }
}

/** The room, and the line that ends at the moment asked for, or in an hour. */
type Parts = Omit<PlainRequest, 'from'>;
type Serve = (parts: Parts, request: IncomingMessage) => Promise<OpenStream>;

const HOUR_MS = 3_600_000;

const start = async (serve: Serve, lastsMs = HOUR_MS) => {
  const on = stand();
  const pulse = pulseOn({
    timers: on.time,
    clock: on.time,
    report: (_what, error) => void on.failures.push(error),
  });
  const partsFor = (response: ServerResponse): Parts => ({
    rooms: on.rooms,
    thread: THREAD,
    surface: 'customer',
    line: httpLine({
      response,
      encoding: EVENT_STREAM,
      pulse,
      clock: on.time,
      expiresAt: on.time.now() + lastsMs,
    }),
  });
  const streams: OpenStream[] = [];
  const server = createServer((request, response) => {
    void serve(partsFor(response), request).then((stream) => streams.push(stream));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    on.rooms.close();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const open = async (lastEventId?: string): Promise<Stream> => {
    const { port } = server.address() as AddressInfo;
    const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    const asking = get({ port, host: '127.0.0.1', headers, agent: false });
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    return new Stream(response);
  };
  return { ...on, open, streams, server };
};

const attach = () =>
  start((parts, request) => {
    const last = request.headers['last-event-id'];
    return serveAttach({ ...parts, ...(typeof last === 'string' && { from: asPosition(last) }) });
  });

describe('attach', () => {
  verifies('FAN-36', 'a prelude has its name, and its position on the last event alone', async () => {
    const { log, open, rooms } = await attach();
    log.append(THREAD, [note(1), text('a', 'x')]);
    const stream = await open();
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'hub-recovered': 'snapshot',
    });
    await stream.until(() => stream.blocks.length === 1);
    const { pos } = await rooms.snapshotOf(THREAD, 'customer');
    expect(stream.raw).toMatch(/^event: prelude\nid: [\w-]{48}\ndata: \{.*\}\n\n$/);
    expect(stream.ids).toEqual([pos]);
    expect(foldAll(stream.events)).toEqual(wholeOf('customer', log.entriesOf(THREAD)));
  });

  verifies('FAN-36', 'every live event has its position, and each of them leads back there', async () => {
    const { log, open } = await attach();
    log.append(THREAD, [note(0)]);
    const stream = await open();
    log.write(THREAD, [note(1), secret(2), split(3), text('a', 'x'), text('a', 'y')]);
    await stream.until(() => stream.blocks.length === 5);
    expect(new Set(stream.ids).size).toBe(5);
    expect(stream.events.at(-1)).toEqual(text('a', 'xy'));
    for (const [nth, id] of stream.ids.entries()) {
      const back = await open(id);
      expect(back.response.headers['hub-recovered']).toBe('replay');
      await back.until(() => back.blocks.length === 4 - nth);
      expect(back.events).toEqual(stream.events.slice(nth + 1));
      expect(back.ids).toEqual(stream.ids.slice(nth + 1));
      expect(back.raw).not.toContain('prelude');
    }
  });

  verifies('FAN-36', 'an id that is none, or of elsewhere, gets the prelude (SS-08)', async () => {
    const { log, open } = await attach();
    log.append(THREAD, [note(0)]);
    for (const id of ['abc', '-1', '99999999999999999999', '00000001:1']) {
      const stream = await open(id);
      expect(stream.response.headers['hub-recovered']).toBe('snapshot');
      await stream.until(() => stream.blocks.length === 1);
      expect(stream.raw).toContain('event: prelude');
    }
  });

  verifies('FAN-36', 'line breaks of any kind inside an event do not break it (SS-01)', async () => {
    const { log, open } = await attach();
    log.append(THREAD, [note(0)]);
    const stream = await open();
    const json = `{"type":"CUSTOM",\r\n "name":"note",\n\n"value":"a\u2028b\u0085c\\n😀"}`;
    log.appendJson(THREAD, json);
    log.tell(THREAD);
    await stream.until(() => stream.blocks.length === 2);
    expect(stream.events[1]).toEqual(JSON.parse(json));
    expect(stream.raw).not.toContain('\r');
  });

  verifies('FAN-36', 'a comment every 15 s keeps it open', async () => {
    const { log, open, time } = await attach();
    log.append(THREAD, [note(0)]);
    const stream = await open();
    await stream.until(() => stream.blocks.length === 1);
    for (const want of [2, 3]) {
      time.advance(15_000);
      await stream.until(() => stream.blocks.length === want);
    }
    expect(stream.raw.endsWith('\n\n: hb\n\n: hb\n\n')).toBe(true);
  });

  verifies(
    'FAN-37',
    'it ends where a socket would get a later snapshot; coming back gives the prelude',
    async () => {
      const { log, open, rooms } = await attach();
      log.append(THREAD, [note(0)]);
      const stream = await open();
      await stream.until(() => stream.blocks.length === 1);
      const replayed = await open(stream.ids[0]);
      rooms.usePolicy({ projectionFor: () => projection, policyVersion: 'v2' });
      await Promise.all([stream, replayed].map((each) => each.until(() => each.ended)));
      expect(stream.blocks).toHaveLength(1);
      expect(replayed.raw).toBe('');
      expect((await open(stream.ids[0])).response.headers['hub-recovered']).toBe('snapshot');
    },
  );

  verifies('FAN-37', 'it goes on over one while it has shown nothing', async () => {
    const { log, open, rooms } = await attach();
    const stream = await open();
    rooms.usePolicy({ projectionFor: () => projection, policyVersion: 'v2' });
    await settled();
    log.write(THREAD, [note(1)]);
    await stream.until(() => stream.blocks.length === 1 || stream.ended);
    expect([stream.blocks.length, stream.ended]).toEqual([1, false]);
  });

  verifies('FAN-41', 'it ends with its token', async () => {
    const { log, open, time, rooms } = await start((parts) => serveAttach(parts), 20_000);
    log.append(THREAD, [note(0)]);
    const stream = await open();
    await stream.until(() => stream.blocks.length === 1);
    time.advance(19_000);
    await stream.until(() => stream.blocks.length === 2);
    expect(stream.ended).toBe(false);
    time.advance(1_000);
    await stream.until(() => stream.ended);
    while (rooms.readersOf(THREAD).length > 0) await settled();
  });

  verifies('FAN-39', 'who leaves is forgotten at once, a hundred of them too (SS-04, SS-05)', async () => {
    const { log, open, rooms } = await attach();
    log.append(THREAD, [note(0)]);
    const streams = await Promise.all(Array.from({ length: 100 }, () => open()));
    expect(rooms.readersOf(THREAD)).toHaveLength(100);
    for (const stream of streams) stream.response.destroy();
    while (rooms.readersOf(THREAD).length > 0) await settled();
  });

  verifies('FAN-39', 'also who left while the room was built', async () => {
    const { log, server, rooms, streams } = await attach();
    log.append(THREAD, [note(0)]);
    const release = log.holdReads();
    const asking = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false });
    asking.on('error', () => undefined);
    const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    asking.destroy();
    await once(response, 'close');
    release();
    while (streams.length === 0) await settled();
    expect(rooms.readersOf(THREAD)).toEqual([]);
  });

  verifies('FAN-21', 'a stream that takes nothing for 30 s is closed', async () => {
    const { log, open, rooms, time } = await attach();
    log.append(THREAD, [note(0)]);
    const stream = await open();
    stream.response.pause();
    stream.response.socket.pause();
    const reader = () => rooms.readersOf(THREAD)[0];
    for (let nth = 0; nth < 200 && reader()?.paused !== true; nth += 1) {
      log.write(THREAD, [note('x'.repeat(200_000))]);
      time.advance(25);
      await settled();
    }
    expect(reader()!.paused).toBe(true);
    time.advance(31_000);
    while (reader() !== undefined) await settled();
  });
});

describe('plain', () => {
  const plain = (more: Partial<PlainRequest>) => start((parts) => servePlain({ ...parts, ...more }));

  verifies('FAN-38', 'bare events from an entry on, to the one it ends with', async () => {
    const until = ({ json }: { readonly json: string }) => (json.includes('"end"') ? 'last' : 'on');
    const { log, open } = await plain({ from: { afterSeq: 1 }, until });
    log.append(THREAD, [note('before'), note(1)]);
    const stream = await open();
    log.write(THREAD, [text('a', 'x'), note('end'), note('after')]);
    await stream.until(() => stream.ended);
    expect(stream.events).toEqual([note(1), text('a', 'x'), note('end')]);
    expect(stream.raw).toMatch(/^(data: .*\n\n)+$/);
  });

  verifies('FAN-38', 'or before the one that is not its own, also within a burst', async () => {
    const until = ({ json }: { readonly json: string }) => (json.includes('"other"') ? 'over' : 'on');
    const { log, open, rooms } = await plain({ from: { afterSeq: 0 }, until });
    log.append(THREAD, [note(1), note(2), note('other'), note(3)]);
    const stream = await open();
    await stream.until(() => stream.ended);
    expect(stream.events).toEqual([note(1), note(2)]);
    while (rooms.readersOf(THREAD).length > 0) await settled();
  });

  verifies('FAN-38', 'whoever says when to end is asked once an event, in order', async () => {
    const asked: number[] = [];
    const until = ({ seq, json }: { readonly seq: number; readonly json: string }) => {
      asked.push(seq);
      return json.includes('"end"') ? 'last' : 'on';
    };
    const { log, open } = await plain({ from: { afterSeq: 0 }, until });
    log.append(THREAD, [note(1), note(2)]);
    const stream = await open();
    log.write(THREAD, [note(3), note('end'), note(5)]);
    await stream.until(() => stream.ended);
    expect(asked).toEqual([1, 2, 3, 4]);
  });

  verifies('FAN-41', 'also while a run is under way', async () => {
    const { log, open, time } = await plain({ from: { afterSeq: 0 } });
    log.append(THREAD, [note(1)]);
    const stream = await open();
    await stream.until(() => stream.blocks.length === 1);
    time.advance(3_600_000);
    await stream.until(() => stream.ended);
    expect(stream.events).toEqual([note(1)]);
  });

  verifies('FAN-38', 'what is over is told and closed (SS-10)', async () => {
    const until = ({ json }: { readonly json: string }) => (json.includes('"end"') ? 'last' : 'on');
    const { log, open, rooms } = await plain({ from: { afterSeq: 0 }, until });
    log.append(THREAD, [note(1), note('end'), note(2)]);
    const stream = await open();
    await stream.until(() => stream.ended);
    expect(stream.events).toEqual([note(1), note('end')]);
    while (rooms.readersOf(THREAD).length > 0) await settled();
  });

  verifies('FAN-38', 'without an entry the prelude comes first; each event may become others', async () => {
    const render = (json: string): readonly string[] => (json.includes('"drop"') ? [] : [json, json]);
    const { log, open, streams } = await plain({ render });
    log.append(THREAD, [note(0)]);
    const stream = await open();
    log.write(THREAD, [note('drop'), note(1)]);
    await stream.until(() => stream.blocks.length === 4);
    expect(stream.events.slice(2)).toEqual([note(1), note(1)]);
    expect(stream.raw).not.toContain('event:');
    streams[0]!.end();
    await stream.until(() => stream.ended);
  });

  verifies('FAN-24', 'a reader slower than the ring still gets each event', async () => {
    const until = ({ json }: { readonly json: string }) => (json.includes('"end"') ? 'last' : 'on');
    const { log, open, time, rooms } = await plain({ from: { afterSeq: 0 }, until });
    log.append(THREAD, [note(0)]);
    const stream = await open();
    stream.response.pause();
    for (let nth = 0; nth < 60; nth += 1) {
      log.write(THREAD, [note(`${nth} ${'x'.repeat(200_000)}`)]);
      time.advance(25);
      await settled();
    }
    log.write(THREAD, [note('end')]);
    expect(rooms.readersOf(THREAD)[0]).toMatchObject({ paused: true });
    stream.response.resume();
    while (!stream.ended) {
      time.advance(50);
      await settled();
    }
    expect(foldAll(stream.events)).toEqual(wholeOf('customer', log.entriesOf(THREAD)));
  });
});
