/** A tenth of the readers takes nothing: what the others notice of it, and what it costs in memory. */
import { setTimeout as pause } from 'node:timers/promises';
import { mustBeWhole, openArena } from './kit/arena.mjs';
import { scaled, settings } from './kit/settings.mjs';
import { atMost } from './kit/table.mjs';
import { inTurns } from './kit/turns.mjs';
import { rssBytes } from './kit/usage.mjs';

const { sockets } = settings;
const STALLED = scaled(100);
const ROUNDS = 3;
const DELTAS = 100;
const EVERY_MS = 40;
/** The kernel takes some megabytes for a reader before the hub is left with anything: this is more than that. */
const FLOOD = { deltas: 100, everyMs: 20, stateBytes: 64 * 1_024 };
/** Of one paused reader: 256 KB, and a fifth on top. */
const MIB_ALLOWED = (STALLED * 256 * 1.2) / 1_024;

const joinAll = async ({ crowd, runs, reading, tokens }) => {
  const threads = await runs.threads(1);
  const where = { dialect: 'hub', port: reading.port, surface: 'customer', token: tokens.customer };
  mustBeWhole('stalled, joining', await crowd.ask('join', { ...where, sockets, threads }));
  return threads;
};

const othersWait = async ({ crowd, runs }, threads) => {
  await runs.start(threads, { deltas: DELTAS, everyMs: EVERY_MS, stamped: true });
  const report = await crowd.ask('report', { deltas: DELTAS, skip: STALLED, stay: true });
  mustBeWhole('stalled, the others', report);
  return report.latency.p99 / 1_000;
};

const nobodyStalls = async (arena) => {
  const p99 = await othersWait(arena, await joinAll(arena));
  await arena.crowd.ask('leave');
  return p99;
};

/** Those who stalled must be whole as well, once they read again. */
const someStall = async (arena, memory) => {
  const { crowd, runs, reading } = arena;
  const threads = await joinAll(arena);
  const before = rssBytes(reading.pid);
  const [flooded] = await runs.threads(1);
  await crowd.ask('stall', { count: STALLED, threadId: flooded });
  await runs.start([flooded], FLOOD);
  await pause(FLOOD.deltas * FLOOD.everyMs + 1_000);
  const p99 = await othersWait(arena, threads);
  memory.push((rssBytes(reading.pid) - before) / 2 ** 20);
  await crowd.ask('resume');
  mustBeWhole('stalled, afterwards', await crowd.ask('report', { deltas: DELTAS }));
  return p99;
};

export const bench = async () => {
  const arena = await openArena();
  try {
    const memory = [];
    const result = await inTurns(ROUNDS, {
      calm: () => nobodyStalls(arena),
      stalled: () => someStall(arena, memory),
    });
    const what = `${STALLED} of ${sockets} readers take nothing`;
    return [
      {
        what: `${what}: the others' 99th percentile / when nobody stalls`,
        ...atMost(1.25, result.ratio('stalled', 'calm')),
        more: `${result.of('stalled').toFixed(1)} ms, ${result.of('calm').toFixed(1)} ms when nobody stalls; all are whole at the end`,
      },
      {
        what: `${what}: memory the hub grows by, at most`,
        // The first round only warms up.
        ...atMost(Number(MIB_ALLOWED.toFixed(1)), Math.max(...memory.slice(1)), 'MiB'),
        more: `each was sent ${((FLOOD.deltas * FLOOD.stateBytes) / 2 ** 20).toFixed(1)} MiB`,
      },
    ];
  } finally {
    await arena.stop();
  }
};
