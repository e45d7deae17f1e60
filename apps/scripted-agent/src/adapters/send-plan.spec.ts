/** A plan goes out at its pace, and stops when nobody listens. */
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifies } from '../../../../test/spec/verifies.js';
import type { Planned } from '../core/stage.js';
import { sendPlan } from './send-plan.js';

/** No test waits for this. */
const NEVER_MS = 1_000_000_000;
const event = (type: string, delayMs: number): Planned => ({ delayMs, event: { type } });

let server: Server;
let sent: Promise<void>;

const listenTo = async (plan: readonly Planned[], speed: number): Promise<IncomingMessage> => {
  server = createServer((_request, response) => void (sent = sendPlan(plan, response, speed)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const asked = get({ port: (server.address() as AddressInfo).port, agent: false });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return response;
};

const bodyOf = async (response: IncomingMessage): Promise<string> => {
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return body;
};

afterEach(() => new Promise((closed) => server.close(closed)));

describe('sendPlan', () => {
  verifies('AGT-26', 'a caller who leaves ends the run, however slow it is', async () => {
    const response = await listenTo([event('RUN_STARTED', 0), event('RUN_FINISHED', NEVER_MS)], 1);
    await once(response, 'data');
    response.destroy();
    await sent;
  });

  it('sends one LF frame an event, at once at speed 0', async () => {
    const response = await listenTo([event('RUN_STARTED', NEVER_MS), event('RUN_FINISHED', NEVER_MS)], 0);
    expect(await bodyOf(response)).toBe('data: {"type":"RUN_STARTED"}\n\ndata: {"type":"RUN_FINISHED"}\n\n');
  });

  it('holds a burst back for a caller who does not read', async () => {
    const big = { type: 'CUSTOM', name: 'x', value: 'x'.repeat(1024 * 1024) };
    const plan = Array.from({ length: 64 }, (): Planned => ({ delayMs: 0, event: big }));
    const response = await listenTo(plan, 1);
    let done = false;
    void sent.then(() => (done = true));
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
    expect(done).toBe(false);
    expect((await bodyOf(response)).split('\n\n')).toHaveLength(65);
  });
});
