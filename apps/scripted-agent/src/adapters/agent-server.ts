/** The HTTP face of the scripted agents: one AG-UI endpoint a scenario. */
import { RunAgentInputSchema } from '@ag-ui/core/schemas';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunAgentInput } from '@triptych/protocol';
import { play } from '../core/play.js';
import type { Scenarios } from './scenario-files.js';
import { sendPlan } from './send-plan.js';

/** A whole conversation fits: the hub sends at most 7 MiB of messages and state. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

export interface AgentServerSettings {
  readonly scenarios: Scenarios;
  readonly host: string;
  readonly port: number;
  readonly speed: number;
}

export interface AgentServer {
  readonly url: string;
  /** Drops the runs that are under way. */
  stop(): Promise<void>;
}

export const startAgentServer = async (settings: AgentServerSettings): Promise<AgentServer> => {
  const server = createServer((request, response) => {
    answer(request, response, settings).catch((error: unknown) => fail(response, error));
  });
  server.listen(settings.port, settings.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
  return {
    url: `http://${host}:${port}`,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

const answer = async (
  request: IncomingMessage,
  response: ServerResponse,
  { scenarios, speed }: AgentServerSettings,
): Promise<void> => {
  const path = new URL(request.url ?? '/', 'http://agent.invalid').pathname.slice(1);
  if (request.method === 'GET' && path === 'health')
    return say(response, 200, { status: 'ok', scenarios: [...scenarios.keys()] });
  const scenario = scenarios.get(path);
  if (!scenario) return refuse(response, 404, `there is no agent ${path}`);
  if (request.method !== 'POST') return refuse(response, 405, 'an agent is run by POST');
  const read = await readInput(request);
  if (!read.ok) {
    request.resume();
    return refuse(response, read.status, read.message);
  }
  await sendPlan(play(scenario, read.input), response, speed);
};

type InputRead =
  | { readonly ok: true; readonly input: RunAgentInput }
  | { readonly ok: false; readonly status: number; readonly message: string };

const readInput = async (request: IncomingMessage): Promise<InputRead> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Without destroying what is left of the body: the refusal still has to go out on the same socket.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES)
      return { ok: false, status: 413, message: `more than ${MAX_BODY_BYTES} bytes` };
    chunks.push(chunk);
  }
  const judged = RunAgentInputSchema.safeParse(jsonOf(Buffer.concat(chunks).toString('utf8')));
  if (judged.success) return { ok: true, input: judged.data as RunAgentInput };
  const where = judged.error.issues.map(({ path, message }) => `/${path.join('/')} ${message}`);
  return { ok: false, status: 400, message: `no RunAgentInput: ${where.join('; ')}` };
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const say = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

const refuse = (response: ServerResponse, status: number, message: string): void =>
  say(response, status, { error: { message } });

/** A broken agent is what its callers see it as: an error before the stream, a broken stream after. */
const fail = (response: ServerResponse, error: unknown): void => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  if (response.headersSent) response.destroy();
  else refuse(response, 500, 'the scripted agent failed');
};
