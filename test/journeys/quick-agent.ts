/** An agent from elsewhere that answers everything in one breath; what it asks depends on what it is told. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AguiEvent, RunAgentInput } from '@triptych/protocol';

const transfer: readonly AguiEvent[] = [
  { type: 'TOOL_CALL_START', toolCallId: 'k1', toolCallName: 'openAccount' },
  { type: 'TOOL_CALL_ARGS', toolCallId: 'k1', delta: '{"amount":2000000}' },
  { type: 'TOOL_CALL_END', toolCallId: 'k1' },
];
/** The first is a reviewer's by the policy, the second the customer's. */
const REVIEW = { id: 'review', reason: 'tool_call', toolCallId: 'k1' };
const QUESTION = { id: 'question', reason: 'input_required', message: 'Which currency?' };

const said = ({ messages }: RunAgentInput): string =>
  messages
    .flatMap(({ role, content }) => (role === 'user' && typeof content === 'string' ? [content] : []))
    .at(-1) ?? '';

/** Threads whose first answer it failed on. */
const failed = new Set<string>();
const failsNow = (input: RunAgentInput): boolean => {
  if (said(input) !== 'ask, then fail' || failed.has(input.threadId)) return false;
  failed.add(input.threadId);
  return true;
};

/** Words that end so are answered with the line breaks of other houses. */
const CRLF = 'crlf';

/** What it answers to words of the test's own. */
export type Plans = Readonly<Record<string, (input: RunAgentInput) => readonly AguiEvent[]>>;

const eventsFor = (input: RunAgentInput, plans: Plans): readonly AguiEvent[] => {
  const planned = plans[said(input)];
  if (planned) return planned(input);
  const { threadId, runId, resume } = input;
  const started = { type: 'RUN_STARTED', threadId, runId };
  const finished = { type: 'RUN_FINISHED', threadId, runId };
  const asking = (...interrupts: object[]) => ({ ...finished, outcome: { type: 'interrupt', interrupts } });
  if (resume?.length)
    return [started, failsNow(input) ? { type: 'RUN_ERROR', message: 'Down.', code: 'E_DB' } : finished];
  if (said(input) === 'ask' || said(input) === 'ask, then fail')
    return [started, ...transfer, asking(REVIEW)];
  if (said(input) === 'ask both') return [started, ...transfer, asking(REVIEW, QUESTION)];
  return [started, { type: 'TEXT_MESSAGE_START', messageId: `${runId}-a`, role: 'assistant' }];
};

/** Then it begins to speak, and never ends. */
const isEndless = (input: RunAgentInput): boolean => said(input) === 'go on';

export interface QuickAgent {
  /** An agents file that knows it beside all others, as `quick`, as `shy`, which stops where nobody reads, and as `handy`, which takes tools. */
  readonly agentsFile: string;
  /** Runs without an end that are under way. */
  readonly open: ReadonlySet<ServerResponse>;
  stop(): Promise<void>;
}

const AGENTS = (url: string): string => `
  - id: quick
    connect: { type: http, url: '${url}' }
    roles: [customer, operator]
  - id: shy
    connect: { type: http, url: '${url}' }
    onNoSubscribers: cancel
    roles: [customer, operator]
  - id: handy
    connect: { type: http, url: '${url}' }
    accept: { forwardedProps: [], tools: [pick*, send*] }
    roles: [customer, operator]
`;

export const quickAgent = async (plans: Plans = {}): Promise<QuickAgent> => {
  const open = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const input = JSON.parse(Buffer.concat(chunks).toString()) as RunAgentInput;
      response.setHeader('content-type', 'text/event-stream');
      const end = said(input).endsWith(CRLF) ? '\r\n\r\n' : '\n\n';
      for (const event of eventsFor(input, plans)) response.write(`data: ${JSON.stringify(event)}${end}`);
      if (!isEndless(input)) return response.end();
      open.add(response);
      response.once('close', () => open.delete(response));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'triptych-quick-'));
  const agentsFile = join(folder, 'agents.yaml');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(agentsFile, readFileSync('config/agents.yaml', 'utf8').trimEnd() + AGENTS(url));
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    rmSync(folder, { recursive: true, force: true });
  };
  return { agentsFile, open, stop };
};
