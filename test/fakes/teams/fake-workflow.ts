/** A workflow of Teams that waits for a webhook: it takes messages with cards, says 202, and gives nothing back. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Fault } from '../webhooks/fake-receiver.js';
import { cardIn, objectionTo } from './card-rules.js';

type Bag = Readonly<Record<string, unknown>>;

export interface ToldCard extends Bag {
  readonly actions?: readonly { readonly type: string }[];
}

export class FakeWorkflow {
  /** What its channel shows, in the order it came, doubles too: nothing can be taken back or told apart. */
  readonly cards: ToldCard[] = [];
  private readonly faults: Fault[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakeWorkflow> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const flow = new FakeWorkflow(server);
    server.on('request', (request, response) => void flow.take(request, response));
    return flow;
  }

  /** As a workflow's address is: whoever has it may post. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/workflows/w/triggers/manual/paths/invoke?sig=s`;
  }

  /** Of the messages that come next, each one meets the next of these. */
  meet(...faults: readonly Fault[]): void {
    this.faults.push(...faults);
  }

  async stop(): Promise<void> {
    if (!this.server.listening) return;
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = this.faults.shift();
    if (fault?.kind === 'reset') return void request.socket.resetAndDestroy();
    const body = await buffer(request);
    if (fault?.kind === 'answer') return void response.writeHead(fault.status, fault.headers).end(fault.body);
    const message = JSON.parse(body.toString()) as Bag;
    const objection = objectionTo(message, body.length);
    if (objection) return void response.writeHead(objection.status).end(objection.message);
    this.cards.push((cardIn(message) ?? {}) as ToldCard);
    if (fault?.kind === 'drop') return void request.socket.resetAndDestroy();
    if (fault?.kind !== 'silence') response.writeHead(202).end();
  }
}
