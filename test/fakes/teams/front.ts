/** The fake's HTTP side: who is called by which path, and what goes wrong on the way. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, type Connector, kindOf } from './connector.js';
import type { Entra } from './entra.js';
import type { CallKind, Faults } from './faults.js';
import type { PageAnswer, PageAsked } from './page.js';

type Bag = Readonly<Record<string, unknown>>;

const CALLS = '/v3/conversations';
const MAX_BODY_BYTES = 1024 * 1024;

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('A body beyond anything Teams reads.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

const reply = (response: ServerResponse, { status, body, retryAfterS }: Answer): void => {
  const headers = {
    'content-type': 'application/json',
    ...(retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }),
  };
  response.writeHead(status, headers).end(body === undefined ? '' : JSON.stringify(body));
};

export interface FrontParts {
  readonly entra: Entra;
  readonly connector: Connector;
  readonly faults: Faults;
  readonly url: () => string;
  readonly page: (asked: PageAsked) => Promise<PageAnswer>;
}

export class Front {
  /** Calls of the connector that came, by kind. */
  readonly calls: { readonly kind: CallKind; readonly at: number }[] = [];

  constructor(private readonly parts: FrontParts) {}

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.route(request, response);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }

  private async route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.parts.url());
    const body = await readBody(request);
    if (pathname === '/v1/.well-known/openidconfiguration')
      return reply(response, { status: 200, body: this.openId() });
    if (pathname === '/v1/.well-known/keys')
      return reply(response, { status: 200, body: this.parts.entra.jwks() });
    if (pathname === '/oauth2/v2.0/token')
      return this.withFaults('token', response, () => this.parts.entra.grant(new URLSearchParams(body)));
    if (pathname.startsWith(`/emea${CALLS}`)) return this.call(request, response, { pathname, body });
    if (pathname === '/')
      return this.page(response, { method: request.method ?? 'GET', query: searchParams, body });
    return reply(response, { status: 404 });
  }

  private openId(): object {
    return {
      issuer: 'https://api.botframework.com',
      jwks_uri: `${this.parts.url()}/v1/.well-known/keys`,
      id_token_signing_alg_values_supported: ['RS256'],
    };
  }

  private async call(
    { method = 'GET', headers }: IncomingMessage,
    response: ServerResponse,
    { pathname, body }: { pathname: string; body: string },
  ): Promise<void> {
    const path = pathname.slice(`/emea${CALLS}`.length).split('/').filter(Boolean).map(decodeURIComponent);
    const kind = kindOf({ method, path });
    this.calls.push({ kind, at: Date.now() });
    if (!this.parts.entra.knows(headers.authorization))
      return reply(response, { status: 401, body: { error: { code: 'Unauthorized' } } });
    const given = body === '' ? {} : (JSON.parse(body) as Bag);
    await this.withFaults(kind, response, () =>
      this.parts.connector.answer({ method, path, body: given, bytes: Buffer.byteLength(body) }),
    );
  }

  private async withFaults(kind: CallKind, response: ServerResponse, work: () => Answer): Promise<void> {
    const fault = this.parts.faults.take(kind);
    if (fault?.kind === 'reset') return void response.destroy();
    if (fault?.kind === 'status') {
      const { status, retryAfterS } = fault;
      return reply(response, { status, ...(retryAfterS === undefined ? {} : { retryAfterS }) });
    }
    const answer = work();
    if (fault?.kind === 'drop-reply') return void response.destroy();
    if (fault?.kind === 'slow') await pause(fault.ms);
    reply(response, answer);
  }

  private async page(response: ServerResponse, asked: PageAsked): Promise<void> {
    const { status, html, location } = await this.parts.page(asked);
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      ...(location === undefined ? {} : { location }),
    };
    response.writeHead(status, headers).end(html);
  }
}
