/** An AG-UI agent for the bench: one long message, one delta at a time, at a steady pace. */
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { settings } from './settings.mjs';

/** Length of a delta in characters: a few words, as models send them. */
const WORDS = 'the quick brown fox jumps over the lazy dog, ';

const readBody = async (request) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString());
};

const answer = async (request, response) => {
  const { threadId, runId } = await readBody(request);
  const send = (event) => response.write(`data: ${JSON.stringify(event)}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send({ type: 'RUN_STARTED', threadId, runId });
  send({ type: 'TEXT_MESSAGE_START', messageId: 'm1', role: 'assistant' });
  for (let n = 0; n < settings.deltas; n++) {
    await pause(settings.everyMs);
    send({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: `${n} ${WORDS}` });
  }
  send({ type: 'TEXT_MESSAGE_END', messageId: 'm1' });
  send({ type: 'RUN_FINISHED', threadId, runId });
  response.end();
};

/** The text every reader must end with. */
export const wholeText = Array.from({ length: settings.deltas }, (_, n) => `${n} ${WORDS}`).join('');

export const startAgent = async () => {
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.destroy(error));
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${server.address().port}/`, stop: () => server.close() };
};
