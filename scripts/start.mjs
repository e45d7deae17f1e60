/** `npm start`: builds if needed, starts Redis, the scripted agent, the worker and the hub, and keeps them alive. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureBuilt } from './build.mjs';
import { fakesFor } from './fakes.mjs';
import { freePort, isFree } from './ports.mjs';
import { commandOf, ours, root, startNode, writeWhole } from './processes.mjs';
import { ensureRedis } from './redis.mjs';
import { supervise } from './supervise.mjs';

/** A cold machine needs a few seconds; after this something is wrong. */
const READY_WITHIN_MS = 60_000;
const LOOK_AGAIN_MS = 50;
const PROBE_TIMEOUT_MS = 2_000;
const USAGE = `npm start                      start everything and stay
npm start -- --with-fakes      and chats on this machine to decide in, without an account
npm start -- --print-config    show the effective settings, secrets masked
Settings are environment variables; README.md lists them.`;

const say = (text) => console.log(text);
const mainOf = (app) => `dist/apps/${app}/src/main.js`;

const settings = () => ({
  host: process.env.HOST || '127.0.0.1',
  port: Number(process.env.PORT || 4000),
  dataDir: resolve(process.env.DATA_DIR || '.data'),
});

/** Where a browser on this machine finds a server that listens on `host`. */
const urlOf = (host, port) => {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '[::1]', '::1': '[::1]' }[host] ?? host;
  return `http://${reachable}:${port}`;
};

const assertPortFree = async ({ host, port }) => {
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`PORT=${process.env.PORT} is not a port number; for example PORT=4000.`);
  if (!(await isFree(port, host)))
    throw new Error(`Port ${port} on ${host} is taken. Choose another one: PORT=${port + 1} npm start`);
};

/** Two launchers on one DATA_DIR would stop each other's Redis. */
const takeDataDir = (dataDir) => {
  const pidFile = join(dataDir, 'run', 'launcher.pid');
  let other;
  try {
    other = Number(readFileSync(pidFile, 'utf8'));
  } catch {
    other = 0;
  }
  if (other && other !== process.pid && commandOf(other).includes('scripts/start.mjs'))
    throw new Error(
      `Already running on ${dataDir} (pid ${other}). Stop it, or choose another DATA_DIR and PORT.`,
    );
  writeWhole(pidFile, `${process.pid}\n`);
  return () => rmSync(pidFile, { force: true });
};

const redisService = (dataDir) => {
  const { REDIS_URL: url, REDIS_MODE: mode } = process.env;
  const service = {
    name: 'redis',
    start: async () => {
      const { last } = service;
      service.last = await ensureRedis({ dataDir, url, mode, port: last?.port, log: last ? () => {} : say });
      return service.last;
    },
  };
  return service;
};

const nodeService = ({ name, script = mainOf(name), env }) => ({
  name,
  start: async () => ours(startNode({ script, env: { ...process.env, ...env } })),
});

const appService = (name, env) => nodeService({ name, env });

const isReady = async (url) => {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })).ok;
  } catch {
    // Refused or reset: not listening yet.
    return false;
  }
};

const untilReady = async (name, url) => {
  for (const began = Date.now(); !(await isReady(url)); await pause(LOOK_AGAIN_MS)) {
    if (Date.now() - began > READY_WITHIN_MS) throw new Error(`${name} does not answer at ${url}.`);
  }
};

const begin = async (house, service) => {
  if (house.stopping) throw new Error('Stopped while starting.');
  const pidFile = join(house.dataDir, 'run', `${service.name}.pid`);
  const one = supervise({ ...service, pidFile, log: say });
  house.services.push(one);
  await one.begin();
  return one;
};

/** Ours, unless SCRIPTED_AGENT_URL names another; gives its address and what to wait for. */
const beginAgent = async (house) => {
  const given = process.env.SCRIPTED_AGENT_URL;
  if (given) return { url: given, ready: Promise.resolve() };
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await begin(house, appService('scripted-agent', { HOST: '127.0.0.1', PORT: String(port) }));
  return { url, ready: untilReady('scripted-agent', `${url}/health`) };
};

/** Chats on this machine, where they are asked for; gives what the others are told of them. */
const beginFakes = async (house) => {
  const { services, env } = house.withFakes
    ? await fakesFor({ hubUrl: urlOf(house.host, house.port), dataDir: house.dataDir })
    : { services: [], env: {} };
  for (const service of services) await begin(house, nodeService(service));
  const ready = Promise.all(services.map(({ name, url }) => untilReady(name, url)));
  return { env, ready, pages: services.map(({ name, url }) => ({ name, url })) };
};

/** Starts all in order and waits until they can be used. */
const beginAll = async (house) => {
  const { host, port, dataDir } = house;
  const redis = redisService(dataDir);
  await begin(house, redis);
  const agent = await beginAgent(house);
  const fakes = await beginFakes(house);
  const env = {
    ...fakes.env,
    REDIS_URL: redis.last.url,
    SCRIPTED_AGENT_URL: agent.url,
    DATA_DIR: dataDir,
    HOST: host,
    PORT: String(port),
  };
  const worker = await begin(house, appService('worker', env));
  await begin(house, appService('hub', env));
  const ready = Promise.all([
    agent.ready,
    fakes.ready,
    worker.ready(),
    untilReady('hub', `${urlOf(host, port)}/health/ready`),
  ]);
  await Promise.race([ready, ...house.services.map((service) => service.mustLive())]);
  return { redis: redis.last, agentUrl: agent.url, pages: fakes.pages };
};

const welcome = ({ host, port, dataDir }, { redis, agentUrl, pages }) => `
Triptych is up after ${(performance.now() / 1000).toFixed(1)} s.
  redis           ${redis.url} (${redis.about})
  scripted agent  ${agentUrl}
  worker, hub     data and pids in ${dataDir}

  customer        ${urlOf(host, port)}/customer
  reviewer        ${urlOf(host, port)}/reviewer
  operator        ${urlOf(host, port)}/operator
${pages.map(({ name, url }) => `  ${name.padEnd(15)} ${url}\n`).join('')}
Stop with Ctrl-C.
`;

/** Hub first, Redis last, so that everyone can still write what it must. */
const stopAll = async (house) => {
  house.stopping = true;
  for (const service of house.services.toReversed()) await service.stop();
  house.release();
};

/** The first signal ends all in order; a second one does not wait. */
const stopOnSignal = (house) => {
  const onSignal = async () => {
    if (house.stopping) {
      await Promise.all(house.services.map((service) => service.kill()));
      process.exit(1);
    }
    say('Stopping.');
    await stopAll(house);
    process.exit(0);
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => void onSignal());
};

const run = async (withFakes = false) => {
  const chosen = { ...settings(), withFakes };
  await assertPortFree(chosen);
  const house = { ...chosen, services: [], stopping: false, release: takeDataDir(chosen.dataDir) };
  stopOnSignal(house);
  try {
    ensureBuilt({ log: say });
    say(welcome(house, await beginAll(house)));
    for (const service of house.services) service.guard();
  } catch (error) {
    // Asked to stop while starting: the signal's own path ends the process.
    if (house.stopping) return;
    await stopAll(house);
    throw error;
  }
};

const printConfig = () => {
  ensureBuilt();
  const env = { ...process.env, DATA_DIR: settings().dataDir };
  return (
    spawnSync(process.execPath, [mainOf('hub'), '--print-config'], { stdio: 'inherit', env }).status ?? 1
  );
};

const main = async ([flag, ...rest]) => {
  process.chdir(root);
  // Whoever read our words may leave (`npm start | head`); the house stays up.
  process.stdout.on('error', () => {});
  if (flag === undefined) return run();
  if (flag === '--with-fakes' && rest.length === 0) return run(true);
  if (flag === '--print-config' && rest.length === 0) process.exit(printConfig());
  say(USAGE);
  process.exit(flag === '--help' ? 0 : 2);
};

main(process.argv.slice(2)).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
