/** The yardstick: a bare `ws` server that broadcasts given frames at a given pace, and does nothing else. */
import { WebSocketServer } from 'ws';
import { answerWith, isReady } from '../kit/asked.mjs';
import { framesOf, play } from '../kit/script.mjs';

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
const readers = new Map();
server.on('connection', (socket, request) => {
  const threadId = request.url.slice(1);
  const all = readers.get(threadId) ?? new Set();
  readers.set(threadId, all.add({ socket, raw: request.socket }));
});

const framed = (text) => {
  const payload = Buffer.from(text);
  const length = payload.length < 126 ? [payload.length] : [126, payload.length >> 8, payload.length & 0xff];
  return Buffer.concat([Buffer.from([0x81, ...length]), payload]);
};

const WRITERS = {
  /** What everybody writes first. */
  send: (all, text) => {
    for (const { socket } of all) socket.send(text);
  },
  /** One frame for all, straight to the connections: what Node can do at best. */
  shared: (all, text) => {
    const frame = framed(text);
    for (const { raw } of all) raw.write(frame);
  },
};
const broadcast = WRITERS[process.argv[2]];

const playAll = async ({ threads, deltas, staggerMs = 0, ...pace }) => {
  const playOne = async (threadId, nth) => {
    await new Promise((done) => setTimeout(done, nth * staggerMs));
    const say = (data) => broadcast(readers.get(threadId), JSON.stringify({ event: 'agui', data }));
    await play(framesOf({ threadId, runId: 'r1' }, deltas), { ...pace, say });
    readers.delete(threadId);
  };
  await Promise.all(threads.map(playOne));
};

answerWith({ play: playAll });
server.once('listening', () => isReady(server.address().port));
