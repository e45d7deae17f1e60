/** Runs a real redis-server (or valkey-server) of our own: found on PATH, loopback only, append-only file, adoptable. */
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync, realpathSync } from 'node:fs';
import net from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './ports.mjs';
import { adopted, ours, writeWhole } from './processes.mjs';

/** Sharded pub/sub and the stream commands we use came with 7. */
const MIN_MAJOR = 7;
/** A silent server is given up after this; one that says it is loading its file is waited for. */
const SILENCE_MS = 10_000;
const ASK_TIMEOUT_MS = 500;
const ASK_AGAIN_MS = 15;
/** Between choosing a free port and listening on it somebody may take it. */
const PORT_TRIES = 3;
/** Enough of a log to show why a server did not start. */
const LOG_TAIL_CHARS = 1_500;

const executable = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The first of these programs on PATH. */
export const onPath = (...names) =>
  names
    .flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((dir) => join(dir, name)))
    .find(executable);

/** `{bin, name, version}` of a server new enough, or `{tooOld}`, or nothing. */
export const findServer = () => {
  const bin = onPath('redis-server', 'valkey-server');
  if (!bin) return undefined;
  const said = spawnSync(bin, ['--version'], { encoding: 'utf8' }).stdout ?? '';
  const version = /v=(\d+[\d.]*)/.exec(said)?.[1] ?? '0';
  const about = `${bin.split('/').at(-1)} ${version}`;
  return Number.parseInt(version, 10) < MIN_MAJOR ? { tooOld: about } : { bin, about };
};

/** The raw reply to one inline command, '' when nobody answers in time. */
const ask = (port, command) =>
  new Promise((answer) => {
    const socket = net.connect(port, '127.0.0.1');
    let text = '';
    const finish = () => {
      socket.destroy();
      answer(text);
    };
    socket.setTimeout(ASK_TIMEOUT_MS, finish);
    socket.on('error', finish);
    socket.on('close', finish);
    socket.on('connect', () => socket.write(`${command}\r\nQUIT\r\n`));
    socket.on('data', (bytes) => (text += bytes));
  });

const instanceFile = (dir) => join(dir, 'instance.json');

const lastPort = (dir) => {
  try {
    return JSON.parse(readFileSync(instanceFile(dir), 'utf8')).port;
  } catch {
    return undefined;
  }
};

/**
 * The server that already works in this directory: a launcher killed outright leaves its server running, and two
 * servers must never share one append-only file.
 */
const adopt = async (dir) => {
  const port = lastPort(dir);
  if (!port) return undefined;
  const [, key, , itsDir] = (await ask(port, 'CONFIG GET dir')).split('\r\n').slice(1);
  if (key !== 'dir' || itsDir !== realpathSync(dir)) return undefined;
  const pid = Number(/process_id:(\d+)/.exec(await ask(port, 'INFO server'))?.[1]);
  return pid ? { ...adopted(pid), port, kind: 'adopted' } : undefined;
};

const optionsOf = (dir, port) =>
  Object.entries({
    port,
    bind: '127.0.0.1',
    'protected-mode': 'yes',
    dir,
    logfile: join(dir, 'redis.log'),
    appendonly: 'yes',
    appendfsync: 'always',
    save: '',
    'maxmemory-policy': 'noeviction',
    daemonize: 'no',
  }).flatMap(([name, value]) => [`--${name}`, String(value)]);

/** Resolves to true once it answers, to false if it died or stayed silent. */
const answers = async (port, running) => {
  let dead = false;
  void running.exited.then(() => (dead = true));
  let heardAt = Date.now();
  while (!dead && Date.now() - heardAt < SILENCE_MS) {
    const reply = await ask(port, 'PING');
    if (reply.startsWith('+PONG')) return true;
    if (reply.startsWith('-LOADING')) heardAt = Date.now();
    await pause(ASK_AGAIN_MS);
  }
  return false;
};

const tailOf = (path) => {
  try {
    return readFileSync(path, 'utf8').slice(-LOG_TAIL_CHARS);
  } catch (error) {
    return `(${path}: ${error.code})`;
  }
};

const spawnOn = async ({ server, dir, port }) => {
  // Detached: Ctrl-C must reach the launcher first, Redis last.
  const child = spawn(server.bin, optionsOf(dir, port), { stdio: 'ignore', detached: true });
  const running = ours(child);
  if (await answers(port, running)) {
    writeWhole(instanceFile(dir), JSON.stringify({ pid: running.pid, port }));
    return { ...running, port, kind: 'server' };
  }
  await running.stop();
  throw new Error(`${server.about} did not start on port ${port}:\n${tailOf(join(dir, 'redis.log'))}`);
};

/** Starts (or adopts) the server of this directory; a given port is kept, so that clients find it again. */
export const startServer = async ({ server, dir, port }) => {
  const already = await adopt(dir);
  if (already) return already;
  if (port) return spawnOn({ server, dir, port });
  for (let tried = 1; ; tried++) {
    try {
      return await spawnOn({ server, dir, port: await freePort(lastPort(dir)) });
    } catch (error) {
      if (tried === PORT_TRIES || !/Address already in use/.test(error.message)) throw error;
    }
  }
};
