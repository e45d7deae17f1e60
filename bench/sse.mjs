/** What one delivery costs over Server-Sent Events: the hub's attach stream, and a bare `response.write` loop. */
import { measure, openArena } from './kit/arena.mjs';
import { micros } from './kit/contenders.mjs';
import { settings } from './kit/settings.mjs';
import { atMost } from './kit/table.mjs';
import { inTurns } from './kit/turns.mjs';

const { sockets, rounds, deltas, everyMs } = settings;
const pace = { deltas, everyMs };

export const bench = async () => {
  const arena = await openArena({ rivals: () => ({ plain: ['rivals/plain-sse.mjs'] }) });
  const { crowd, runs, reading, tokens, rivals } = arena;
  const cost = async ({ name, pid, port, threads, work }) => {
    const where = { dialect: 'sse', port, token: tokens.customer, sockets, threads };
    const { cpu, frames } = await measure({ name, crowd, pid, where, work, deltas });
    return (cpu * 1_000) / frames;
  };
  try {
    const result = await inTurns(rounds, {
      hub: async (name) => {
        const threads = await runs.threads(1);
        const work = () => runs.start(threads, pace);
        return cost({ name, pid: reading.pid, port: reading.port, threads, work });
      },
      plain: async (name) => {
        const threads = [name];
        const work = () => rivals.plain.ask('play', { threads, ...pace });
        return cost({ name, pid: rivals.plain.pid, port: await rivals.plain.ready, threads, work });
      },
    });
    return [
      {
        what: `Event streams 1 × ${sockets}: CPU per delivery / \`response.write\` loop`,
        ...atMost(0.85, result.ratio('hub', 'plain')),
        more: `hub ${micros(result.of('hub'))}, \`response.write\` ${micros(result.of('plain'))}`,
      },
    ];
  } finally {
    await arena.stop();
  }
};
