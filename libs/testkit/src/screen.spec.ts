import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SUBPROTOCOL } from '@triptych/protocol';
import { WebSocketServer, type WebSocket } from 'ws';
import { Screen } from './screen.js';

interface Asked {
  readonly event: string;
  readonly id: string;
}

describe('a screen', () => {
  let server: WebSocketServer;
  let there: WebSocket;
  let screen: Screen;
  const say = (event: string, data: unknown, id?: string): void =>
    there.send(JSON.stringify({ event, data, ...(id ? { id } : {}) }));
  beforeEach(async () => {
    server = new WebSocketServer({ port: 0, handleProtocols: () => SUBPROTOCOL });
    await once(server, 'listening');
    server.on('connection', (socket) => {
      there = socket;
      say('ready', {});
    });
    screen = await Screen.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'customer', 'x');
  });
  afterEach(async () => {
    await screen.close();
    const closed = once(server, 'close');
    server.close();
    await closed;
  });

  it('gives every frame to one who asks for the next, and all of them to who looks back', async () => {
    const first = screen.next('task');
    const second = screen.next('task');
    for (const n of [1, 2, 3]) say('task', { n });
    expect([(await first).data, (await second).data]).toEqual([{ n: 1 }, { n: 2 }]);
    expect((await screen.next('task')).data).toEqual({ n: 3 });
    const later = screen.next('task', ({ n }) => n === 5);
    for (const n of [4, 5]) say('task', { n });
    expect((await later).data).toEqual({ n: 5 });
    expect((await screen.next('task')).data).toEqual({ n: 4 });
    expect(screen.seen('task').map(({ data }) => data['n'])).toEqual([1, 2, 3, 4, 5]);
  });

  it('checks the first frame after a resume, however close it follows the reply', async () => {
    there.on('message', (text) => {
      const { id } = JSON.parse(String(text)) as Asked;
      say('reply', { pos: 'p2', recovered: 'replay' }, id);
      say('agui', { threadId: 't', prev: 'p9', pos: 'p10', events: [] });
    });
    await screen.subscribe('t', 'p1');
    await screen.next('agui');
    expect(screen.gaps).toEqual([expect.stringContaining('p9')]);
  });

  it('tells at once that its socket is gone', async () => {
    const asked = screen.next('task');
    there.close(4408);
    await expect(asked).rejects.toThrow('before the socket closed (4408)');
  });
});
