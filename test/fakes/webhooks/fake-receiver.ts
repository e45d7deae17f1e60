/** An endpoint that takes webhooks as a careful receiver does: it verifies them with the vendor's library and knows each by its id. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: string;
}

/** What happens to the next delivery instead of a 204. */
export type Fault =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** Taken, and then nobody says so. */
  | { readonly kind: 'drop' }
  /** Not even read. */
  | { readonly kind: 'reset' }
  /** Taken, and never answered. */
  | { readonly kind: 'silence' };

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

export class FakeReceiver {
  /** Each message once, in the order they first came. */
  readonly messages = new Map<string, Received>();
  /** The ids of everything that came, repeats too. */
  readonly deliveries: string[] = [];
  /** Why something was not believed. */
  readonly disbelieved: string[] = [];
  private readonly faults: Fault[] = [];

  private constructor(
    private readonly server: Server,
    /** As whoever configured it believes them to be; one of them is enough. */
    private secrets: readonly string[],
  ) {}

  static async start(secrets: readonly string[]): Promise<FakeReceiver> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const receiver = new FakeReceiver(server, secrets);
    server.on('request', (request, response) => void receiver.take(request, response));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`;
  }

  rotateTo(secrets: readonly string[]): void {
    this.secrets = secrets;
  }

  /** Of the deliveries that come next, each one meets the next of these. */
  meet(...faults: readonly Fault[]): void {
    this.faults.push(...faults);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = this.faults.shift();
    if (fault?.kind === 'reset') return void request.socket.resetAndDestroy();
    const raw = await bodyOf(request);
    if (fault?.kind === 'answer') return void response.writeHead(fault.status, fault.headers).end(fault.body);
    const believed = this.believe(headersOf(request), raw);
    if (fault?.kind === 'drop') return void request.socket.resetAndDestroy();
    if (fault?.kind === 'silence') return;
    response.writeHead(believed ? 204 : 401).end();
  }

  private believe(headers: Record<string, string>, raw: string): boolean {
    const failures = this.secrets.flatMap((secret) => whyNot(secret, headers, raw) ?? []);
    if (failures.length === this.secrets.length) {
      this.disbelieved.push(...failures);
      return false;
    }
    const id = headers['webhook-id'] ?? '';
    const { type, data } = JSON.parse(raw) as Pick<Received, 'type' | 'data'>;
    this.deliveries.push(id);
    if (!this.messages.has(id)) this.messages.set(id, { id, type, data, headers, raw });
    return true;
  }
}

const whyNot = (secret: string, headers: Record<string, string>, raw: string): string | undefined => {
  try {
    new Webhook(secret).verify(raw, headers);
    return undefined;
  } catch (error) {
    return String(error);
  }
};
