/** An AG-UI agent for the benches: says the script at the pace that the last message asks for. */
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { content, deltaOf, ending, opening } from './script.mjs';

const readBody = async (request) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString());
};

/** Microseconds on the clock that all processes of a machine share. */
export const sharedMicros = () => Number(process.hrtime.bigint() / 1_000n);

/** One write a tick, however many deltas are in it: that is a burst. */
const answer = async (request, response) => {
  const { threadId, runId, messages } = await readBody(request);
  const { deltas, everyMs, burst = 1, stamped = false, stateBytes = 0 } = JSON.parse(messages.at(-1).content);
  const send = (...events) =>
    response.write(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send(...opening({ threadId, runId }));
  const began = performance.now();
  for (let n = 0; n < deltas; n += burst) {
    await pause(Math.max(0, began + (n / burst + 1) * everyMs - performance.now()));
    const stamp = stamped ? `@${sharedMicros()} ` : '';
    const some = Array.from({ length: Math.min(burst, deltas - n) }, (_, m) => deltaOf(n + m));
    const state =
      stateBytes === 0 ? [] : [{ type: 'STATE_SNAPSHOT', snapshot: { n, blob: 'x'.repeat(stateBytes) } }];
    send(...some.map((delta) => content({ runId }, stamp + delta)), ...state);
  }
  await pause(everyMs);
  send(...ending({ threadId, runId }));
  response.end();
};

export const startAgent = async () => {
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.destroy(error));
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${server.address().port}/`, stop: () => server.close() };
};
