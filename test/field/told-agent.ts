/** An agent from elsewhere that answers with what the test wrote down for the thread, byte for byte if need be. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AguiEvent, RunAgentInput } from '@triptych/protocol';

/** Events to send, or what to do with the connection itself. */
export type Answer =
  readonly AguiEvent[] | ((response: ServerResponse, input: RunAgentInput) => void | Promise<void>);

export const frame = (event: unknown): string => `data: ${JSON.stringify(event)}\n\n`;

export interface ToldAgent {
  readonly url: string;
  /** What it was asked for, in the order it came. */
  readonly heard: readonly RunAgentInput[];
  /** The thread's next runs are answered so, one after another. */
  tell(thread: string, ...answers: readonly Answer[]): void;
  stop(): Promise<void>;
}

const send = async (response: ServerResponse, input: RunAgentInput, answer: Answer): Promise<void> => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  if (typeof answer === 'function') return answer(response, input);
  response.end(answer.map(frame).join(''));
};

export const toldAgent = async (): Promise<ToldAgent> => {
  const told = new Map<string, Answer[]>();
  const heard: RunAgentInput[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const input = JSON.parse(Buffer.concat(chunks).toString()) as RunAgentInput;
      heard.push(input);
      void send(response, input, told.get(input.threadId)?.shift() ?? []);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    tell: (thread, ...answers) => void told.set(thread, [...(told.get(thread) ?? []), ...answers]),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
