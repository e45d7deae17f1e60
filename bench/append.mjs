/** How near the product's appends come to what Redis can do with the same script and arguments. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { onPath } from '../scripts/redis-server.mjs';
import { ensureBuilt } from '../scripts/build.mjs';
import { root } from '../scripts/processes.mjs';
import { ensureRedis } from '../scripts/redis.mjs';
import { forkAsked } from './kit/asked.mjs';
import { content, deltaOf } from './kit/script.mjs';
import { settings } from './kit/settings.mjs';
import { atLeast } from './kit/table.mjs';
import { inTurns } from './kit/turns.mjs';

const run = promisify(execFile);
const IN_FLIGHT = 50;
const APPENDS = 10_000;
const EVENTS = 10;
/** Appends of a thread that ends before its first snapshot, as most conversations do. */
const SHORT = 40;

const events = Array.from({ length: EVENTS }, (_, n) => ({
  source: 'agent',
  json: JSON.stringify(content({ runId: 'r1' }, deltaOf(n))),
}));

/** What the hub sends, but to one thread: redis-benchmark cannot vary a key with its tag. */
const scriptCall = async (redis) => {
  ensureBuilt();
  const { appendArgs } = await import('../dist/libs/event-log/src/core/append-request.js');
  const script = readFileSync(join(root, 'libs/event-log/src/adapters/append.lua'), 'utf8');
  const sha = await redis.script('LOAD', script);
  const keys = ['meta', 'log', 'c', 'snapshots'].map((name) => `{bench}:${name}`);
  return [
    'EVALSHA',
    sha,
    String(keys.length),
    ...keys,
    ...appendArgs({ thread: 'bench', events }, '0000abcd'),
  ];
};

const byRedisBenchmark = async (redis, port) => {
  const call = await scriptCall(redis);
  const { stdout } = await run('redis-benchmark', [
    ...['-p', String(port), '-c', String(IN_FLIGHT), '-n', String(APPENDS), '-q'],
    ...call,
  ]);
  const stored = Number(await redis.hget('{bench}:meta', 's'));
  if (stored !== APPENDS * EVENTS) throw new Error(`redis-benchmark stored ${stored} events`);
  return Number(/.*\s([\d.]+) requests per second/s.exec(stdout)[1]);
};

const measured = async ({ redis, port, appender }) => {
  const fresh = (work) => async (name) => {
    await redis.flushall();
    return work(name);
  };
  const byHub = (perThread) =>
    fresh((name) =>
      appender.ask('append', { name, appends: APPENDS, inFlight: IN_FLIGHT, perThread, events }),
    );
  const result = await inTurns(settings.rounds, {
    hub: byHub(SHORT),
    redis: fresh(() => byRedisBenchmark(redis, port)),
    'long threads': byHub(APPENDS / IN_FLIGHT),
  });
  const perSecond = Math.round(result.of('hub') * EVENTS).toLocaleString('en');
  return {
    ...atLeast(0.7, result.ratio('hub', 'redis')),
    more: `${perSecond} events a second from one process, ${EVENTS} an entry, ${IN_FLIGHT} under way; in threads long enough for snapshots ${result.ratio('long threads', 'redis').toFixed(2)}`,
  };
};

export const bench = async () => {
  const what = 'Appends a second / `redis-benchmark` of the same script';
  if (!onPath('redis-benchmark')) return [{ what, figure: '–', more: 'there is no redis-benchmark here' }];
  const dataDir = mkdtempSync(join(tmpdir(), 'triptych-bench-'));
  const store = await ensureRedis({ dataDir });
  const appender = forkAsked('kit/appender.mjs', store.url);
  const redis = new Redis(store.url);
  try {
    await appender.ready;
    return [{ what, ...(await measured({ redis, port: store.port, appender })) }];
  } finally {
    redis.disconnect();
    appender.stop();
    await store.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
};
