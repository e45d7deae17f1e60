/** A pager service on loopback: `PUT /number/name` puts a line on a display, or changes the one of that name. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Trouble } from '../../src/contract.js';

export class FakePager {
  private readonly displays = new Map<string, Map<string, string>>();
  private readonly troubles = new Map<string, Trouble>();

  private constructor(
    private readonly server: Server,
    private readonly limitedMs: number,
  ) {}

  static async start(limitedMs: number): Promise<FakePager> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const pager = new FakePager(server, limitedMs);
    server.on('request', (request, response) => void pager.take(request, response));
    return pager;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  at(number: string): readonly string[] {
    return [...(this.displays.get(number)?.values() ?? [])];
  }

  meet(number: string, trouble: Trouble): void {
    this.troubles.set(number, trouble);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, number = '', name = ''] = (request.url ?? '').split('/');
    const trouble = this.troubles.get(number);
    this.troubles.delete(number);
    if (trouble === 'reset') return void request.socket.destroy();
    const line = await text(request);
    if (trouble === 'never') return void response.writeHead(404).end();
    if (trouble === 'limited')
      return void response.writeHead(429, { 'retry-after': String(this.limitedMs / 1_000) }).end();
    const display = this.displays.get(number) ?? new Map<string, string>();
    this.displays.set(number, display.set(name, line));
    if (trouble === 'drop') return void request.socket.destroy();
    response.writeHead(204).end();
  }
}
