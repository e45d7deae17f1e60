/** The yardstick: a bare `ws` server that broadcasts given frames at given moments, and does nothing else. */
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });

const broadcast = async (frames) => {
  const began = performance.now();
  for (const { at, text } of frames) {
    const wait = at - frames[0].at - (performance.now() - began);
    if (wait > 0) await pause(wait);
    for (const socket of server.clients) socket.send(text);
  }
};

const reply = async ({ id, with: frames }) => {
  await broadcast(frames);
  process.send({ id });
};
process.on('message', (question) => void reply(question));
process.once('disconnect', () => process.exit(0));
server.once('listening', () => process.send({ id: 'ready', answer: server.address().port }));
