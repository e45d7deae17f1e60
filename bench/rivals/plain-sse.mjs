/** The yardstick of event streams: a bare HTTP server that writes every event to every response. */
import { createServer } from 'node:http';
import { answerWith, isReady } from '../kit/asked.mjs';
import { framesOf, play } from '../kit/script.mjs';

const readers = new Map();
const server = createServer((request, response) => {
  const threadId = request.url.split('/').at(-2);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  const all = readers.get(threadId) ?? new Set();
  readers.set(threadId, all.add(response));
});

const playOne = async ({ threads: [threadId], deltas, ...pace }) => {
  const say = ({ pos, events: [event] }) => {
    for (const response of readers.get(threadId))
      response.write(`id: ${pos}\ndata: ${JSON.stringify(event)}\n\n`);
  };
  await play(framesOf({ threadId, runId: 'r1' }, deltas), { ...pace, say });
  readers.delete(threadId);
};

answerWith({ play: playOne });
server.listen(0, '127.0.0.1', () => isReady(server.address().port));
