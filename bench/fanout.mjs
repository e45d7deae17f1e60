/** What one delivery costs the server in processor time: the hub, a bare `ws` broadcast, Socket.IO. */
import { measure, openArena } from './kit/arena.mjs';
import { settings } from './kit/settings.mjs';
import { inTurns } from './kit/turns.mjs';

const { sockets, rounds, deltas, everyMs } = settings;

const micros = (value) => `${value.toFixed(2)} µs`;

const RIVALS = ({ url }) => ({
  'ws.send': ['rivals/plain-ws.mjs', 'send'],
  floor: ['rivals/plain-ws.mjs', 'shared'],
  'socket.io': ['rivals/socketio.mjs', url],
  emitter: ['rivals/socketio.mjs', url],
});

/** One round of each contender over `threads` threads with the same readers. */
const contendersIn = async (arena, { threads: count }) => {
  const { crowd, runs, rivals, carrier, reading, token } = arena;
  const pace = { deltas, everyMs, staggerMs: Math.floor(everyMs / count) };
  const each = async ({ name, pid, where, work }) => {
    const { cpu, frames } = await measure({ name, crowd, pid, where: { sockets, ...where }, work, deltas });
    return (cpu * 1_000) / frames;
  };
  const onHub = async (name, hub) => {
    const threads = await runs.threads(count);
    const where = { dialect: 'hub', port: hub.port, surface: 'customer', token, threads };
    return each({ name, pid: hub.pid, where, work: () => runs.start(threads, pace) });
  };
  const onRival = async (name, { dialect, rival, player = rival }) => {
    const threads = Array.from({ length: count }, (_, n) => `${name}-${n}`);
    const where = { dialect, port: await rival.ready, threads };
    return each({ name, pid: rival.pid, where, work: () => player.ask('play', { threads, ...pace }) });
  };
  return {
    hub: (name) => onHub(name, reading),
    'ws.send': (name) => onRival(name, { dialect: 'plain', rival: rivals['ws.send'] }),
    'socket.io': (name) =>
      onRival(name, { dialect: 'socketio', rival: rivals['socket.io'], player: rivals.emitter }),
    floor: (name) => onRival(name, { dialect: 'plain', rival: rivals.floor }),
    'hub that carries the run too': (name) => onHub(name, carrier),
  };
};

const rowsOf = (shape, result) => {
  const toWs = result.ratio('hub', 'ws.send');
  const toSocketIo = result.ratio('socket.io', 'hub');
  const alone = 'hub that carries the run too';
  return [
    {
      what: `${shape}: CPU per delivery / \`ws.send\` loop`,
      figure: toWs.toFixed(2),
      goal: '≤ 0.85',
      met: toWs <= 0.85,
      more: `hub ${micros(result.of('hub'))}, ws.send ${micros(result.of('ws.send'))}; one shared buffer, nothing else: ${result.ratio('floor', 'ws.send').toFixed(2)}; hub that carries the run too: ${result.ratio(alone, 'ws.send').toFixed(2)}`,
    },
    {
      what: `${shape}: deliveries per CPU second / Socket.IO with Redis streams`,
      figure: toSocketIo.toFixed(2),
      goal: '≥ 1.5',
      met: toSocketIo >= 1.5,
      more: `Socket.IO ${micros(result.of('socket.io'))} a delivery`,
    },
  ];
};

export const bench = async () => {
  const arena = await openArena({ rivals: RIVALS });
  try {
    const rows = [];
    for (const threads of [1, 20]) {
      const result = await inTurns(rounds, await contendersIn(arena, { threads }));
      rows.push(...rowsOf(`Fan-out ${threads} × ${sockets / threads}`, result));
    }
    return rows;
  } finally {
    await arena.stop();
  }
};
