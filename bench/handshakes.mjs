/** Ten thousand connections that never finish their handshake: what honest ones wait meanwhile, and before. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { startAgent } from './kit/agent.mjs';
import { scaled } from './kit/settings.mjs';
import { openStage, tokenFor } from './kit/stage.mjs';
import { atMost } from './kit/table.mjs';
import { median } from './kit/turns.mjs';

const HALF_OPEN = scaled(10_000);
const HONEST = 200;
const DRIP_EVERY_MS = 1_000;

/** An honest one, from its first packet to the hub's greeting, ms. */
const connectOnce = async ({ port }, token) => {
  const began = performance.now();
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/customer`, ['triptych.v1+json', `bearer.${token}`]);
  await once(socket, 'message');
  const took = performance.now() - began;
  socket.close();
  await once(socket, 'close');
  return took;
};

const honest = async (hub, token) => {
  const times = [];
  while (times.length < HONEST) times.push(await connectOnce(hub, token));
  return median(times);
};

/** Keeps so many half-open: each begins, drips headers, and is replaced when the hub lets go of it. */
const attack = ({ port }) => {
  const open = new Set();
  let ending = false;
  const begin = () => {
    if (ending) return;
    const socket = connect(port, '127.0.0.1');
    open.add(socket);
    socket.write('GET /ws/customer HTTP/1.1\r\nHost: localhost\r\n');
    socket.on('error', () => undefined).resume();
    socket.on('close', () => {
      open.delete(socket);
      begin();
    });
  };
  for (let n = 0; n < HALF_OPEN; n++) begin();
  const drip = setInterval(() => {
    for (const socket of open) if (!socket.connecting) socket.write('X: y\r\n');
  }, DRIP_EVERY_MS);
  const stop = () => {
    ending = true;
    clearInterval(drip);
    for (const socket of open) socket.destroy();
  };
  const standing = async () => {
    while ([...open].filter(({ connecting }) => !connecting).length < HALF_OPEN * 0.9)
      await new Promise((done) => setTimeout(done, 50));
  };
  return { stop, standing };
};

export const bench = async () => {
  const agent = await startAgent();
  const stage = await openStage({ agentUrl: agent.url });
  const [hub] = stage.hubs;
  try {
    const token = await tokenFor(hub, 'customer');
    await honest(hub, token);
    const before = await honest(hub, token);
    const attackers = attack(hub);
    await attackers.standing();
    const meanwhile = await honest(hub, token).finally(attackers.stop);
    return [
      {
        what: `${HALF_OPEN} half-open handshakes that drip: time to connect / when nobody attacks`,
        ...atMost(2, meanwhile / before),
        more: `${meanwhile.toFixed(1)} ms, ${before.toFixed(1)} ms when nobody attacks; every honest one of ${HONEST} came in`,
      },
    ];
  } finally {
    await stage.stop();
    agent.stop();
  }
};
