/** What one delivery costs the server in processor time: the hub, a bare `ws` broadcast, Socket.IO. */
import { openArena } from './kit/arena.mjs';
import { contendersIn, micros, only, RIVALS } from './kit/contenders.mjs';
import { settings } from './kit/settings.mjs';
import { atLeast, atMost } from './kit/table.mjs';
import { inTurns } from './kit/turns.mjs';

const { sockets, rounds, deltas, everyMs } = settings;

const rowsOf = (shape, result) => [
  {
    what: `${shape}: CPU per delivery / \`ws.send\` loop`,
    ...atMost(0.85, result.ratio('hub', 'ws.send')),
    more: [
      `hub ${micros(result.of('hub'))}, \`ws.send\` ${micros(result.of('ws.send'))}`,
      `one shared buffer and nothing else ${result.ratio('floor', 'ws.send').toFixed(2)}`,
      `hub that carries the run too ${result.ratio('carrier', 'ws.send').toFixed(2)}`,
    ].join('; '),
  },
  {
    what: `${shape}: deliveries per CPU second / Socket.IO with Redis streams`,
    ...atLeast(1.5, result.ratio('socket.io', 'hub')),
    more: `Socket.IO ${micros(result.of('socket.io'))}`,
  },
];

export const bench = async () => {
  const arena = await openArena({ rivals: RIVALS });
  try {
    const rows = [];
    for (const threads of [1, 20]) {
      const all = contendersIn(arena, { threads, deltas, everyMs });
      const result = await inTurns(rounds, only(all, 'hub', 'ws.send', 'socket.io', 'floor', 'carrier'));
      rows.push(...rowsOf(`Fan-out ${threads} × ${sockets / threads}`, result));
    }
    return rows;
  } finally {
    await arena.stop();
  }
};
