/** What ten thousand readers cost who are there, subscribed, and hear nothing. */
import { setTimeout as pause } from 'node:timers/promises';
import { mustBeWhole, openArena } from './kit/arena.mjs';
import { scaled } from './kit/settings.mjs';
import { atMost } from './kit/table.mjs';
import { cpuMs, rssBytes } from './kit/usage.mjs';

/** As many as one person may have, less a few for whoever made the threads. */
const SOCKETS = scaled(9_990);
const THREADS = 50;
/** Two heartbeats of every socket are in it, and garbage of the joining is gone. */
const WATCHED_MS = 60_000;

export const bench = async () => {
  const arena = await openArena();
  const { crowd, runs, reading, tokens } = arena;
  try {
    const threads = await runs.threads(THREADS);
    const where = {
      dialect: 'hub',
      port: reading.port,
      surface: 'customer',
      token: tokens.customer,
      threads,
    };
    // A few first, so that code and rooms are there before memory is counted.
    mustBeWhole('idle, warming up', await crowd.ask('join', { ...where, sockets: 200 }));
    await crowd.ask('leave');
    await pause(2_000);
    const before = rssBytes(reading.pid);
    mustBeWhole('idle, joining', await crowd.ask('join', { ...where, sockets: SOCKETS }));
    const atRest = cpuMs(reading.pid);
    await pause(WATCHED_MS);
    const share = (cpuMs(reading.pid) - atRest) / WATCHED_MS;
    const each = (rssBytes(reading.pid) - before) / SOCKETS / 1_024;
    mustBeWhole('idle, at the end', await crowd.ask('faults'));
    return [
      {
        what: `${SOCKETS} idle readers, authenticated and subscribed: memory of each`,
        ...atMost(16, each, 'KB'),
      },
      { what: `${SOCKETS} idle readers: share of a core for heartbeats`, ...atMost(8, share * 100, '%') },
    ];
  } finally {
    await arena.stop();
  }
};
