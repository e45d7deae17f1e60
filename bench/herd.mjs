/** Everybody comes back at once, as after a deployment: how long until all of them are whole. */
import { mustBeWhole, openArena } from './kit/arena.mjs';
import { scaled } from './kit/settings.mjs';
import { atMost } from './kit/table.mjs';
import { median } from './kit/turns.mjs';
import { cpuMs } from './kit/usage.mjs';

const SOCKETS = scaled(5_000);
const THREADS = 50;
/** Connections under way at once; one client process would queue more itself. */
const AT_ONCE = 500;
/** With what surrounds them, 200 events missed. */
const [HEARD, MISSED] = [20, 196];
const ROUNDS = 3;

const until = async (holds) => {
  while (!(await holds())) await new Promise((done) => setTimeout(done, 50));
};

/** The run of a thread is over when the hub says so. */
const allIdle = async ({ carrier, tokens }, threads) => {
  const headers = { authorization: `Bearer ${tokens.customer}` };
  const idle = async (thread) => {
    const answer = await fetch(`${carrier.url}/v1/threads/${thread}`, { headers });
    return (await answer.json()).status === 'idle';
  };
  return (await Promise.all(threads.map(idle))).every(Boolean);
};

const round = async (arena) => {
  const { crowd, runs, reading, tokens } = arena;
  const threads = await runs.threads(THREADS);
  const where = { dialect: 'hub', port: reading.port, surface: 'customer', token: tokens.customer };
  mustBeWhole('herd, joining', await crowd.ask('join', { ...where, sockets: SOCKETS, threads }));
  await runs.start(threads, { deltas: HEARD, everyMs: 40 });
  mustBeWhole('herd, before', await crowd.ask('report', { deltas: HEARD, stay: true }));
  await crowd.ask('hangUp');
  await runs.start(threads, { deltas: MISSED, everyMs: 40, burst: 4 });
  await until(() => allIdle(arena, threads));
  const before = cpuMs(reading.pid);
  const deltas = [HEARD, MISSED];
  const { wholeMs } = await crowd.ask('comeBack', { atOnce: AT_ONCE, deltas });
  const cpu = cpuMs(reading.pid) - before;
  mustBeWhole('herd, after', await crowd.ask('report', { deltas }));
  return { wholeMs, cpu };
};

export const bench = async () => {
  const arena = await openArena();
  try {
    const rounds = [];
    for (let n = 0; n < ROUNDS; n++) rounds.push(await round(arena));
    const seconds = median(rounds.map(({ wholeMs }) => wholeMs)) / 1_000;
    const cpu = median(rounds.map((one) => one.cpu)) / 1_000;
    return [
      {
        what: `${SOCKETS} readers of ${THREADS} threads come back, ${MISSED + 4} events missed each: all whole`,
        ...atMost(5, seconds, 's'),
        more: `${cpu.toFixed(1)} s of it the hub's processor; upgrade, token, subscribe and catch-up of each`,
      },
    ];
  } finally {
    await arena.stop();
  }
};
