/** An agent that answers with exactly the bytes a test gave it, and stops where the test wants to look. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunAgentInput } from '@triptych/protocol';

/** What goes out next: text, bytes, or what must come first. */
export type Piece = string | Uint8Array | (() => Promise<unknown>);

export interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body: readonly Piece[];
}

/** What a run is answered with: known beforehand, or read from its input. */
export type Reply = Answer | ((input: RunAgentInput) => Answer);

/** One event a frame, as it stands: a text goes out byte for byte. */
export const frames = (events: readonly (string | object)[]): Answer => ({
  body: events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`),
});

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

/** The reader took what was written, or has gone; whichever it was, the other is not listened for any longer. */
const drained = async (response: ServerResponse): Promise<void> => {
  const done = new AbortController();
  const either = ['drain', 'close'].map((name) => once(response, name, { signal: done.signal }));
  await Promise.race(either).finally(() => done.abort());
};

/** Nobody said how this run is to be answered. */
const UNASKED: Answer = { status: 404, body: [] };

export class LoopbackAgent {
  private readonly answers = new Map<string, Reply[]>();
  private readonly inputs = new Map<string, RunAgentInput[]>();
  /** Where else somebody knocked. */
  readonly others: string[] = [];
  private readonly server = createServer((request, response) => void this.answer(request, response));

  static async start(): Promise<LoopbackAgent> {
    const agent = new LoopbackAgent();
    agent.server.listen(0, '127.0.0.1');
    await once(agent.server, 'listening');
    return agent;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The thread's runs get these answers, one each, in this order. */
  will(threadId: string, ...answers: readonly Reply[]): void {
    this.answers.set(threadId, [...(this.answers.get(threadId) ?? []), ...answers]);
  }

  /** What the thread's runs asked so far. */
  asked(threadId: string): readonly RunAgentInput[] {
    return this.inputs.get(threadId) ?? [];
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') this.others.push(request.url ?? '');
    const input = JSON.parse(await readBody(request)) as RunAgentInput;
    const { threadId } = input;
    this.inputs.set(threadId, [...this.asked(threadId), input]);
    const reply = this.answers.get(threadId)?.shift() ?? UNASKED;
    const {
      status = 200,
      type = 'text/event-stream',
      body,
    } = typeof reply === 'function' ? reply(input) : reply;
    response.writeHead(status, { 'content-type': type }).flushHeaders();
    for (const piece of body) {
      if (typeof piece === 'function') await piece();
      else if (!response.write(piece) && !response.destroyed) await drained(response);
    }
    response.end();
  }
}
