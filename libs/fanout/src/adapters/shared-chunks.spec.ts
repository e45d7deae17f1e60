/** Proves what is written to connections past their responses: the same chunk for all, in order, and none where a body has none. */
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { verifies } from '../../../../test/spec/verifies.js';
import { HandTime } from '../../test/hand-time.js';
import { settled } from '../../test/stand.js';
import type { StreamEvent, StreamLine } from '../core/stream-line.js';
import { pulseOn } from '../shell/pulse.js';
import { httpLine } from './http-line.js';
import { EVENT_STREAM } from './stream-encodings.js';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const saying = (value: string): readonly StreamEvent[] => [{ json: JSON.stringify(value) }];

interface Open {
  readonly line: StreamLine;
  readonly response: ServerResponse;
}

/** A server that keeps the lines of its responses, and where it listens. */
const serving = async () => {
  const time = new HandTime();
  const pulse = pulseOn({ timers: time, clock: time, report: () => undefined });
  const lines: Open[] = [];
  const server = createServer((_request, response) => {
    const line = httpLine({ response, encoding: EVENT_STREAM, pulse, clock: time, expiresAt: Infinity });
    line.open();
    lines.push({ line, response });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.closeAllConnections());
  closers.push(() => server.close());
  return { lines, port: (server.address() as AddressInfo).port };
};

/** A client, and its line on the server. */
const opened = async ({ lines, port }: Awaited<ReturnType<typeof serving>>) => {
  const [response] = (await once(get({ port, host: '127.0.0.1', agent: false }), 'response')) as [
    IncomingMessage,
  ];
  return { client: response, ...lines.at(-1)! };
};

const bodyOf = async (client: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of client) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
};

const bodySaying = (...said: readonly (readonly StreamEvent[])[]): string =>
  said.map((events) => EVENT_STREAM.encode(events).toString()).join('');

describe('an event stream', () => {
  verifies('FAN-64', 'is written the very chunk that the others are', async () => {
    const at = await serving();
    const all = [await opened(at), await opened(at)];
    const written = all.map(({ response }) => {
      const chunks: unknown[] = [];
      const { socket } = response;
      const write = socket!.write.bind(socket);
      socket!.write = ((bytes: Buffer) => {
        chunks.push(bytes);
        return write(bytes);
      }) as typeof write;
      return chunks;
    });
    const said = saying('Grüezi 👋');
    for (const { line } of all) line.send(said);
    expect(written.map((chunks) => chunks.length)).toEqual([1, 1]);
    expect(written[0]![0]).toBe(written[1]![0]);
    for (const { line } of all) line.end();
    for (const { client } of all) expect(await bodyOf(client)).toBe(bodySaying(said));
  });

  verifies('FAN-64', 'keeps the order of small and large, and ends after all of it', async () => {
    const { client, line } = await opened(await serving());
    const said = [1, 200_000, 2, 70_000, 3].map((length) => saying('é'.repeat(length)));
    for (const events of said) line.send(events);
    line.end();
    expect(await bodyOf(client)).toBe(bodySaying(...said));
  });

  verifies('FAN-64', 'has no chunks where the client knows none', async () => {
    const { lines, port } = await serving();
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.0\r\n\r\n');
    while (lines.length === 0) await settled();
    lines[0]!.line.send(saying('plain'));
    lines[0]!.line.end();
    let text = '';
    for await (const part of socket) text += String(part);
    expect(text.split('\r\n\r\n')[1]).toBe(bodySaying(saying('plain')));
  });

  verifies('FAN-64', 'that takes nothing is not clear until it took what waits', async () => {
    const { client, line } = await opened(await serving());
    const said = saying('x'.repeat(30_000));
    let sent = 0;
    for (; sent < 4_000 && line.clear(); sent += 1) line.send(said);
    expect(sent).toBeLessThan(4_000);
    expect(line.unsent()).toBeLessThan(128 * 1024);
    const body = bodyOf(client);
    while (!line.clear()) await settled();
    line.end();
    expect(await body).toBe(bodySaying(...Array.from({ length: sent }, () => said)));
  });
});
