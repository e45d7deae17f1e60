import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { verifies } from '../../../../test/spec/verifies.js';
import type { StreamLine } from '../core/stream-line.js';
import { pulseOn } from '../shell/pulse.js';
import { httpLine } from './http-line.js';
import { EVENT_STREAM } from './stream-encodings.js';

const clock = { now: () => Date.now() };
const pulse = pulseOn({
  timers: { after: () => () => undefined, every: () => () => undefined },
  clock,
  report: () => undefined,
});

interface Served {
  readonly line: StreamLine;
  readonly response: ServerResponse;
  /** What arrives at the other end; it is not read before it is asked for. */
  readonly heard: Promise<IncomingMessage>;
}

const server = createServer();
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const served = async (): Promise<Served> => {
  const asked = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
  const request = get({ port: (server.address() as AddressInfo).port, agent: false });
  const heard = once(request, 'response').then(([response]) => response as IncomingMessage);
  const [, response] = await asked;
  const line = httpLine({ response, encoding: EVENT_STREAM, pulse, clock, expiresAt: clock.now() + 60_000 });
  return { line, response, heard };
};

const textOf = async (heard: Promise<IncomingMessage>): Promise<string> => {
  let text = '';
  for await (const bytes of await heard) text += String(bytes);
  return text;
};

describe('a line whose reader lost the right to it', () => {
  verifies('HUB-71', 'before it was a stream, is an empty one', async () => {
    const { line, heard } = await served();
    line.end('UNAUTHENTICATED');
    line.open();
    line.send([{ json: '{"type":"CUSTOM"}' }]);
    expect((await heard).headers['content-type']).toContain('text/event-stream');
    expect(await textOf(heard)).toBe('');
  });

  verifies('HUB-71', 'before it was a stream, may still be a refusal', async () => {
    const { line, response, heard } = await served();
    line.end('UNAUTHENTICATED');
    response.writeHead(404).end('no');
    expect((await heard).statusCode).toBe(404);
    expect(await textOf(heard)).toBe('no');
  });

  verifies('HUB-71', 'is sent nothing that still waits', async () => {
    const { line, heard } = await served();
    line.open();
    const event = { json: JSON.stringify({ type: 'CUSTOM', value: 'x'.repeat(64 * 1024) }) };
    // More than the kernel takes from a reader who does not read.
    line.send(Array.from({ length: 400 }, () => event));
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    expect(line.unsent()).toBeGreaterThan(event.json.length);
    line.send([{ json: '{"type":"LAST"}' }]);
    line.end('UNAUTHENTICATED');
    const text = await textOf(heard);
    expect(text).toContain('CUSTOM');
    expect(text).not.toContain('LAST');
  });
});

describe('a line that closed', () => {
  verifies('FAN-72', 'says so to whoever asks only then, and to each once', async () => {
    const { line, response, heard } = await served();
    heard.catch(() => undefined);
    let times = 0;
    line.onceClosed(() => (times += 1));
    response.destroy();
    await once(response, 'close');
    expect(times).toBe(1);
    line.onceClosed(() => (times += 1));
    expect(times).toBe(2);
  });
});
