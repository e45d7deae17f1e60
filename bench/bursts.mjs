/** What one event costs when an agent says ten at a time, as models do when they are fast. */
import { openArena } from './kit/arena.mjs';
import { contendersIn, micros, only, RIVALS } from './kit/contenders.mjs';
import { settings } from './kit/settings.mjs';
import { atLeast } from './kit/table.mjs';
import { inTurns } from './kit/turns.mjs';

const { sockets, rounds } = settings;
const BURST = 10;
/** Room for a thousand readers to be sent ten frames each, by those who send ten. */
const EVERY_MS = 200;
const BURSTS = 10;

const row = (surface, cost, result) => ({
  what: `Bursts of ${BURST}, 1 × ${sockets}, ${surface}: events per CPU second / \`ws.send\` loop`,
  ...atLeast(6, result.ratio('ws.send', cost)),
  more: `${micros(result.of(cost))} an event, \`ws.send\` ${micros(result.of('ws.send'))}, Socket.IO ${micros(result.of('socket.io'))} (${result.ratio('socket.io', cost).toFixed(1)} times the hub's)`,
});

export const bench = async () => {
  const arena = await openArena({ rivals: RIVALS });
  try {
    const pace = { threads: 1, per: 'event', burst: BURST, deltas: BURST * BURSTS, everyMs: EVERY_MS };
    const all = contendersIn(arena, pace);
    const result = await inTurns(rounds, only(all, 'hub', 'operator', 'ws.send', 'socket.io'));
    return [
      row('customer (deltas merged)', 'hub', result),
      row('operator (each event as it is)', 'operator', result),
    ];
  } finally {
    await arena.stop();
  }
};
