/** Proves that a surface's socket tells its threads in the words of 0.0.59 to whom asks for them. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { MO, Product, ThreadBook, until } from '@triptych/testkit';
import type { AguiEvent } from '@triptych/protocol';
import { WebSocket } from 'ws';
import { verifies } from '../spec/verifies.js';
import { everything } from './everything.js';
import { quickAgent, type QuickAgent } from './quick-agent.js';
import { inputOf, upgradeAnswer } from './wire.js';

const JOURNEY_MS = 120_000;

let agent: QuickAgent;
let product: Product;
beforeAll(async () => {
  agent = await quickAgent({ everything });
  product = await Product.start({ AGENTS_FILE: agent.agentsFile });
}, JOURNEY_MS);
afterAll(async () => {
  await product.stop();
  await agent.stop();
}, JOURNEY_MS);

const ask = async (path: string, body: object): Promise<void> => {
  const response = await product.fetch(path, { token: await product.token(MO), body });
  expect(response.ok).toBe(true);
  await response.text();
};

const typesOf = (events: readonly AguiEvent[] = []): readonly string[] => events.map(({ type }) => type);

describe('a surface’s socket in the words of 0.0.59', () => {
  const reading = async (threadId: string) => {
    const headers = { authorization: `Bearer ${await product.token(MO)}` };
    const url = `${product.url.replace('http', 'ws')}/ws/operator?profile=0.0.59`;
    const socket = new WebSocket(url, ['triptych.v1+json'], { headers });
    const book = new ThreadBook();
    const types: string[] = [];
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as {
        event: string;
        data: { recovered?: string; events?: AguiEvent[] };
      };
      if (frame.event === 'reply') book.answered(threadId, undefined, frame.data.recovered);
      book.take(frame);
      types.push(...typesOf(frame.data.events));
    });
    await once(socket, 'open');
    socket.send(JSON.stringify({ event: 'subscribe', id: '1', data: { threadId } }));
    return { socket, book, types };
  };

  verifies(
    'HUB-58',
    'is told as much, live and joined, at the same places',
    async () => {
      const threadId = `socket59-${randomUUID()}`;
      await ask('/v1/threads', { threadId, agentId: 'quick' });
      const live = await reading(threadId);
      await until(() => live.book.positionOf(threadId) !== undefined);
      await ask('/v1/agents/quick/run', inputOf(threadId, 'everything'));
      const { pos } = await product.json<{ pos: string }>(`/v1/threads/${threadId}`, {
        token: await product.token(MO),
      });
      await until(() => live.book.positionOf(threadId) === pos);
      const joined = await reading(threadId);
      await until(() => joined.book.positionOf(threadId) === pos);
      const old = await product.json<{ events: AguiEvent[] }>(
        `/v1/threads/${threadId}/snapshot?profile=0.0.59`,
        { token: await product.token(MO) },
      );
      expect(joined.types).toEqual(typesOf(old.events));
      for (const { book, types, socket } of [live, joined]) {
        // The operator's numbers show that something was left out; nothing else may be wrong.
        expect(book.gaps.filter((gap) => !gap.includes(' holds '))).toEqual([]);
        expect(types).not.toContain('FUTURE_THING');
        expect(JSON.stringify(book.model(threadId))).not.toMatch(/wizard|"f-1"|pendingToolCallIds/u);
        socket.close();
      }
      expect(live.types).toContain('TEXT_MESSAGE_CONTENT');
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-58',
    'any other profile is refused before the upgrade',
    async () => {
      const offered = `triptych.v1+json, bearer.${await product.token(MO)}`;
      const path = `${product.url}/ws/operator?profile=1.7`;
      const answer = await upgradeAnswer(path, { 'sec-websocket-protocol': offered });
      expect(answer).toEqual({ status: 400, code: 'INVALID_INPUT' });
    },
    JOURNEY_MS,
  );
});
