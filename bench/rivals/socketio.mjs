/** Socket.IO as it is run on several instances: Redis streams between them, and recovery of what was missed. */
import { createServer } from 'node:http';
import { createAdapter } from '@socket.io/redis-streams-adapter';
import { Redis } from 'ioredis';
import { Server } from 'socket.io';
import { answerWith, isReady } from '../kit/asked.mjs';
import { framesOf, play } from '../kit/script.mjs';

const http = createServer();
const io = new Server(http, {
  adapter: createAdapter(new Redis(process.argv[2])),
  connectionStateRecovery: {},
  transports: ['websocket'],
  perMessageDeflate: false,
});
io.on('connection', (socket) => void socket.join(socket.handshake.query.thread));

const playAll = async ({ threads, deltas, staggerMs = 0, ...pace }) => {
  const playOne = async (threadId, nth) => {
    await new Promise((done) => setTimeout(done, nth * staggerMs));
    const say = (frame) => void io.to(threadId).emit('agui', frame);
    await play(framesOf({ threadId, runId: 'r1' }, deltas), { ...pace, say });
  };
  await Promise.all(threads.map(playOne));
};

answerWith({ play: playAll });
http.listen(0, '127.0.0.1', () => isReady(http.address().port));
