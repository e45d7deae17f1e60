/** Starts runs of the bench's agent on a hub, over one socket that reads nothing. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { call } from './stage.mjs';

export const openRuns = async (hub, token) => {
  const protocols = ['triptych.v1+json', `bearer.${token}`];
  const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/ws/customer`, protocols);
  const waiting = new Map();
  socket.on('message', (bytes) => {
    const { event, id, data } = JSON.parse(bytes.toString());
    if (event === 'reply') waiting.get(id)?.answered();
    if (event === 'refused') waiting.get(id)?.failed(new Error(`a run was refused: ${data.code}`));
  });
  await once(socket, 'open');

  const ask = (event, data) =>
    new Promise((answered, failed) => {
      const id = randomUUID();
      waiting.set(id, { answered, failed });
      socket.send(JSON.stringify({ event, id, data }));
    });
  return {
    /** New threads, of which nothing was said yet. */
    threads: async (count) => {
      const threads = Array.from({ length: count }, () => randomUUID());
      for (const threadId of threads)
        await call(`${hub.url}/v1/threads`, { token, body: { threadId, agentId: 'bench' } });
      return threads;
    },
    /** A run in each thread, at the pace given; the first says something at once, the next ones later each. */
    start: async (threads, { staggerMs = 0, ...pace }) => {
      for (const threadId of threads) {
        const messages = [{ id: randomUUID(), role: 'user', content: JSON.stringify(pace) }];
        await ask('run', { agentId: 'bench', threadId, messages });
        await new Promise((done) => setTimeout(done, staggerMs));
      }
    },
    close: () => socket.close(),
  };
};
