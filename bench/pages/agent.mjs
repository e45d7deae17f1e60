/** An AG-UI agent that says as many events as the last message asks for, at once or at a pace. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { play } from '../kit/script.mjs';
import { runOf } from './script.mjs';

const answer = async (request, response) => {
  const input = await json(request);
  const { count, everyMs } = JSON.parse(input.messages.at(-1).content);
  const texts = runOf(input, count).map((event) => `data: ${JSON.stringify(event)}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (everyMs === 0) response.write(texts.join(''));
  else await play(texts, { everyMs, say: (text) => response.write(text) });
  response.end();
};

export const startAgent = async () => {
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.destroy(error));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${server.address().port}/`, stop: () => server.close() };
};
