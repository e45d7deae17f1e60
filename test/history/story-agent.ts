/** An agent over HTTP that tells the story it was prepared to tell, in pieces and at a pace of chance. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { AguiEvent, RunAgentInput } from '@triptych/protocol';
import type { Chance } from './chance.js';

export interface Telling {
  readonly events: readonly AguiEvent[];
  readonly chance: Chance;
  /** At most so long between two pieces, ms. */
  readonly pauseMs: number;
  /** How often it was asked to tell it. */
  asked: number;
}

export interface StoryAgent {
  readonly url: string;
  prepare(runId: string, telling: Omit<Telling, 'asked'>): Telling;
  stop(): Promise<void>;
}

const MOST_AT_ONCE = 12;

async function* pieces({ events, chance, pauseMs }: Telling): AsyncGenerator<string> {
  for (let from = 0; from < events.length;) {
    const piece = events.slice(from, from + chance.between(1, MOST_AT_ONCE));
    from += piece.length;
    yield piece.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    await pause(chance.between(0, pauseMs));
  }
}

export const startStoryAgent = async (): Promise<StoryAgent> => {
  const tellings = new Map<string, Telling>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { runId } = JSON.parse(Buffer.concat(chunks).toString()) as RunAgentInput;
      const telling = tellings.get(runId);
      if (!telling) return response.writeHead(404).end();
      telling.asked += 1;
      response.setHeader('content-type', 'text/event-stream');
      // A hub that leaves in the middle is what histories are about.
      pipeline(pieces(telling), response, () => undefined);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    prepare: (runId, prepared) => {
      const telling = { ...prepared, asked: 0 };
      tellings.set(runId, telling);
      return telling;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
