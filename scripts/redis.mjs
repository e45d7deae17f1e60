/** Provides the Redis: the one REDIS_URL names, else a redis-server of our own, else the embedded one. */
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './ports.mjs';
import { commandOf, ours, startNode, writeWhole } from './processes.mjs';
import { findServer, onPath, startServer } from './redis-server.mjs';

const MODES = ['auto', 'server', 'embedded'];
/** An embedded Redis whose launcher died saves and leaves by itself; this is more than it needs. */
const LEAVE_WITHIN_MS = 5_000;
const LOOK_AGAIN_MS = 50;

const INSTALL = {
  'apt-get': 'sudo apt-get install -y redis-server',
  dnf: 'sudo dnf install -y valkey',
  apk: 'sudo apk add redis',
  brew: 'brew install redis',
};
const installCommand = () =>
  Object.entries(INSTALL).find(([tool]) => onPath(tool))?.[1] ?? 'docker compose up -d redis';

const missing = (server) => (server?.tooOld ? `${server.tooOld} is too old` : 'No redis-server found');

const external = (url) => ({
  kind: 'external',
  url,
  about: 'the one REDIS_URL names',
  exited: new Promise(() => {}),
  stop: async () => {},
});

/** Two embedded ones must not write one snapshot: the one before has to be gone. */
const awaitPredecessor = async (pidFile) => {
  let pid;
  try {
    pid = Number(readFileSync(pidFile, 'utf8'));
  } catch {
    return;
  }
  for (let waited = 0; commandOf(pid).includes('embedded-redis'); waited += LOOK_AGAIN_MS) {
    if (waited >= LEAVE_WITHIN_MS) throw new Error(`An embedded Redis (pid ${pid}) still uses ${pidFile}.`);
    await pause(LOOK_AGAIN_MS);
  }
};

const startEmbedded = async ({ dir, port }) => {
  const pidFile = join(dir, 'embedded.pid');
  await awaitPredecessor(pidFile);
  const wished = String(port ?? (await freePort()));
  const child = startNode({ script: 'scripts/embedded-redis.mjs', args: [dir, wished] });
  const running = ours(child);
  const said = await Promise.race([once(child, 'message'), running.exited]);
  if (!Array.isArray(said)) throw new Error(`The embedded Redis did not start (${said}).`);
  child.channel?.unref();
  writeWhole(pidFile, String(running.pid));
  const stop = async (graceMs) => {
    await running.stop(graceMs);
    rmSync(pidFile, { force: true });
  };
  return { ...running, stop, kind: 'embedded', port: said[0].port };
};

const ownRedis = async ({ dir, mode, port, log }) => {
  const server = mode === 'embedded' ? undefined : findServer();
  if (server?.bin) return { ...(await startServer({ server, dir, port })), about: server.about };
  if (mode === 'server') throw new Error(`${missing(server)}. Install one: ${installCommand()}`);
  if (mode === 'auto')
    log(`${missing(server)}: using the built-in one, for trying out only. Better: ${installCommand()}`);
  return { ...(await startEmbedded({ dir, port })), about: 'built in, for trying out' };
};

/**
 * Gives `{kind, url, port, pid, dir, about, exited, stop}`; `kind` is external, server, adopted or embedded.
 * A given `port` is kept, so that a Redis that died can come back where its clients look for it.
 */
export const ensureRedis = async ({ dataDir = '.data', url, mode = 'auto', port, log = console.log }) => {
  if (!MODES.includes(mode))
    throw new Error(`REDIS_MODE=${mode} is not one of ${MODES.join(', ')}; for example REDIS_MODE=auto.`);
  if (url) return external(url);
  const dir = resolve(dataDir, 'redis');
  mkdirSync(dir, { recursive: true });
  const redis = await ownRedis({ dir, mode, port, log });
  return { ...redis, dir, url: `redis://127.0.0.1:${redis.port}` };
};
