/** One round of each server on the same script: what a frame, or an event, costs it in processor time. */
import { measure } from './arena.mjs';
import { settings } from './settings.mjs';

const { sockets } = settings;

export const RIVALS = ({ url }) => ({
  'ws.send': ['rivals/plain-ws.mjs', 'send'],
  floor: ['rivals/plain-ws.mjs', 'shared'],
  'socket.io': ['rivals/socketio.mjs', url],
  // Has no readers: tells the one above what to send.
  emitter: ['rivals/socketio.mjs', url],
});

export const micros = (value) => `${value.toFixed(2)} µs`;

/** Microseconds a frame that left; a burst is judged by its events, because frames may hold several. */
const costOf = ({ cpu, frames }, { per, deltas }) => {
  const delivered = per === 'event' ? sockets * deltas : frames;
  return (cpu * 1_000) / delivered;
};

/** `threads` of them share the readers evenly; their agents do not speak in the same moment. */
export const contendersIn = (arena, { threads: count, per = 'frame', ...pace }) => {
  const { crowd, runs, rivals, carrier, reading, tokens } = arena;
  const { deltas, everyMs } = pace;
  const playing = { ...pace, staggerMs: Math.floor(everyMs / count) };
  const each = async ({ name, pid, where, work }) => {
    const report = await measure({ name, crowd, pid, where: { sockets, ...where }, work, deltas });
    return costOf(report, { per, deltas });
  };
  const onHub = async (name, { hub, surface = 'customer' }) => {
    const threads = await runs.threads(count);
    const where = { dialect: 'hub', port: hub.port, surface, token: tokens[surface], threads };
    return each({ name, pid: hub.pid, where, work: () => runs.start(threads, playing) });
  };
  const onRival = async (name, { dialect = 'plain', rival, player = rival }) => {
    const threads = Array.from({ length: count }, (_, n) => `${name.replace(' ', '-')}-${n}`);
    const where = { dialect, port: await rival.ready, threads };
    return each({ name, pid: rival.pid, where, work: () => player.ask('play', { threads, ...playing }) });
  };
  return {
    hub: (name) => onHub(name, { hub: reading }),
    operator: (name) => onHub(name, { hub: reading, surface: 'operator' }),
    carrier: (name) => onHub(name, { hub: carrier }),
    'ws.send': (name) => onRival(name, { rival: rivals['ws.send'] }),
    floor: (name) => onRival(name, { rival: rivals.floor }),
    'socket.io': (name) =>
      onRival(name, { dialect: 'socketio', rival: rivals['socket.io'], player: rivals.emitter }),
  };
};

export const only = (contenders, ...names) =>
  Object.fromEntries(names.map((name) => [name, contenders[name]]));
