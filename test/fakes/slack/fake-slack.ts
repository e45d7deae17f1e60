/** Slack on the loopback: the Web API over one workspace in memory, and a way for its people to act. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fault, fine, type Answer } from './answers.js';
import { Faults, type FaultKind } from './faults.js';
import { HubCalls } from './hub-calls.js';
import { Limits } from './limits.js';
import { APP_TOKEN, Lines } from './lines.js';
import { CHAT } from './methods/chat.js';
import { CONVERSATIONS } from './methods/conversations.js';
import type { Method } from './methods/method.js';
import { PEOPLE } from './methods/people.js';
import { STREAMS } from './methods/streams.js';
import { VIEWS } from './methods/views.js';
import { pageFor } from './page.js';
import { callOf, type Call } from './request.js';
import { Triggers } from './triggers.js';
import { World } from './world.js';

const METHODS: Readonly<Record<string, Method>> = {
  ...CHAT,
  ...CONVERSATIONS,
  ...PEOPLE,
  ...STREAMS,
  ...VIEWS,
};

export const TOKEN = 'xoxb-fake';
export const SIGNING_SECRET = 'fake-signing-secret';
const SCOPES = ['chat:write', 'channels:history', 'users:read', 'users:read.email', 'im:write'];

/** What is answered so late that nobody waits for it. */
const SLOW_MS = 20_000;

export interface SlackPlan {
  readonly now?: () => number;
  readonly port?: number;
}

interface Called {
  readonly method: string;
  readonly args: Call['args'];
  readonly answer: Answer;
  readonly at: number;
}

/** Calls beyond this many are forgotten, oldest first. */
const MAX_CALLS = 10_000;

export class FakeSlack {
  readonly world: World;
  readonly limits: Limits;
  readonly triggers: Triggers;
  readonly faults = new Faults();
  readonly hub: HubCalls;
  /** Of Socket Mode; while one is open, what people do goes there. */
  readonly lines: Lines;
  /** Every call that was carried out, in order. */
  readonly calls: Called[] = [];
  readonly scopes = new Set(SCOPES);
  /** Methods that this Slack does not have. */
  readonly unknown = new Set<string>();
  /** Tokens that were good once. */
  readonly revoked = new Set<string>();
  private readonly server = createServer((request, response) => {
    this.serve(request, response).catch((error: unknown) => {
      // Whoever called may be gone; else they learn what went wrong here.
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });

  private constructor(now: () => number) {
    this.world = new World(now);
    this.limits = new Limits(now);
    this.triggers = new Triggers(now);
    this.lines = new Lines(this.server);
    this.hub = new HubCalls(this);
  }

  static async start({ now = Date.now, port = 0 }: SlackPlan = {}): Promise<FakeSlack> {
    const slack = new FakeSlack(now);
    slack.server.listen(port, '127.0.0.1');
    await once(slack.server, 'listening');
    return slack;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** What a hub has as `SLACK_API_URL`. */
  get apiUrl(): string {
    return `${this.url}/api/`;
  }

  callsOf(method: string): readonly Called[] {
    return this.calls.filter((call) => call.method === method);
  }

  async stop(): Promise<void> {
    this.hub.stop();
    this.lines.stop();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    if (!url.pathname.startsWith('/api/')) return pageFor(this, { request, response, url });
    const call = await callOf(request, url);
    if (!call) return this.say(response, fault('invalid_form_data'));
    const broken = this.faults.take(call.method);
    if (broken === 'reset') return void request.socket.destroy();
    if (broken === 'broken') return void response.writeHead(500).end('internal error');
    await this.answer(call, response, broken);
  }

  private async answer(call: Call, response: ServerResponse, broken: FaultKind | undefined): Promise<void> {
    const method = this.unknown.has(call.method) ? undefined : METHODS[call.method];
    const barred = this.barrier(call, method);
    if (call.method === 'apps.connections.open') return this.say(response, this.newLine(call));
    if (barred || !method) return this.say(response, barred ?? fault('unknown_method'));
    const channel = typeof call.args['channel'] === 'string' ? call.args['channel'] : undefined;
    const wait = this.limits.take(call.method, method.tier, channel);
    if (wait !== undefined) return this.sayLimited(response, wait);
    const answer = method.run(this, call.args);
    this.note(call, answer);
    if (broken === 'drop-reply') return void response.socket?.destroy();
    if (broken === 'broken-late') return void response.writeHead(500).end('internal error');
    if (broken === 'slow') await pause(SLOW_MS, undefined, { ref: false });
    this.say(response, answer);
  }

  private barrier({ token }: Call, method: Method | undefined): Answer | undefined {
    if (!method) return fault('unknown_method');
    if (token === undefined) return fault('not_authed');
    if (this.revoked.has(token)) return fault('token_revoked');
    if (token !== TOKEN) return fault('invalid_auth');
    const { scope: needed } = method;
    if (needed === undefined || this.scopes.has(needed)) return undefined;
    return fault('missing_scope', { needed, provided: [...this.scopes].join(',') });
  }

  /** By the app's own token, and no other. */
  private newLine({ token }: Call): Answer {
    if (token === undefined) return fault('not_authed');
    return token === APP_TOKEN ? fine({ url: this.lines.newUrl(this.url) }) : fault('not_allowed_token_type');
  }

  private note({ method, args }: Call, answer: Answer): void {
    this.calls.push({ method, args, answer, at: this.world.now() });
    if (this.calls.length > MAX_CALLS) this.calls.shift();
  }

  /** Whatever is wrong, HTTP says 200. */
  private say(response: ServerResponse, answer: Answer): void {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(answer));
  }

  private sayLimited(response: ServerResponse, seconds: number): void {
    response.writeHead(429, {
      'content-type': 'application/json; charset=utf-8',
      'retry-after': String(seconds),
    });
    response.end(JSON.stringify(fault('ratelimited')));
  }
}
