/** How long a delta takes from the agent's write to a reader's ear, through one hub that does everything. */
import { mustBeWhole, openArena } from './kit/arena.mjs';
import { settings } from './kit/settings.mjs';
import { atMost } from './kit/table.mjs';
import { median } from './kit/turns.mjs';

const THREADS = 50;
const READERS = 3 * THREADS;
/** 30 deltas a second a thread, 3 readers each: 4,500 deliveries a second. */
const EVERY_MS = 1_000 / 30;
const DELTAS = 120;

const round = async ({ crowd, carrier, runs, tokens }) => {
  const threads = await runs.threads(THREADS);
  const where = { dialect: 'hub', port: carrier.port, surface: 'customer', token: tokens.customer };
  mustBeWhole('latency, joining', await crowd.ask('join', { ...where, sockets: READERS, threads }));
  await runs.start(threads, { deltas: DELTAS, everyMs: EVERY_MS, stamped: true });
  const report = await crowd.ask('report', { deltas: DELTAS });
  mustBeWhole('latency', report);
  return report.latency;
};

const ms = (micros) => micros / 1_000;

export const bench = async () => {
  const arena = await openArena();
  try {
    const rounds = [];
    // The first only warms up.
    for (let n = 0; n <= settings.rounds; n++) rounds.push(await round(arena));
    const of = (pick) => ms(median(rounds.slice(1).map(pick)));
    const what = `Agent to reader, ${THREADS} threads × ${READERS / THREADS} readers × 30 events a second`;
    return [
      {
        what: `${what}: median`,
        ...atMost(
          2,
          of(({ p50 }) => p50),
          'ms',
        ),
      },
      {
        what: `${what}: 99th percentile`,
        ...atMost(
          15,
          of(({ p99 }) => p99),
          'ms',
        ),
      },
    ];
  } finally {
    await arena.stop();
  }
};
