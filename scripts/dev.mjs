/** `npm run dev`: everything as in `npm start`, rebuilt and restarted at every save; pages from Vite. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { watch } from 'node:fs';
import { buildServer, copyAssets, swcArgs } from './build-server.mjs';
import { freePort } from './ports.mjs';
import { ours, root } from './processes.mjs';
import { ensureRedis } from './redis.mjs';

const bin = (name) => join(root, 'node_modules/.bin', name);

const tool = (name, args, env) =>
  ours(spawn(bin(name), args, { cwd: root, env, stdio: 'inherit', detached: true }));

const watched = (app, env) => {
  const flags = ['--watch', '--watch-preserve-output', '--enable-source-maps'];
  return ours(
    spawn(process.execPath, [...flags, `dist/apps/${app}/src/main.js`], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: 'inherit',
      detached: true,
    }),
  );
};

/** swc watches code only; Lua scripts and the like are copied at every save. */
const watchAssets = () => {
  const watchers = ['apps', 'libs'].map((dir) =>
    watch(join(root, dir), { recursive: true }, (_, file) => {
      if (file && /\.(lua|json|yaml)$/.test(file)) copyAssets('dist');
    }),
  );
  return { stop: async () => watchers.forEach((one) => one.close()) };
};

const beginAll = async () => {
  const dataDir = process.env.DATA_DIR || '.data';
  const redis = await ensureRedis({ dataDir, url: process.env.REDIS_URL, mode: process.env.REDIS_MODE });
  const agentPort = String(await freePort());
  const env = {
    REDIS_URL: redis.url,
    SCRIPTED_AGENT_URL: `http://127.0.0.1:${agentPort}`,
    DATA_DIR: dataDir,
  };
  return [
    redis,
    tool('swc', [...swcArgs('dist'), '--watch']),
    watchAssets(),
    watched('scripted-agent', { HOST: '127.0.0.1', PORT: agentPort }),
    watched('worker', env),
    watched('hub', env),
    tool('vite', []),
  ];
};

process.chdir(root);
buildServer();
const running = await beginAll();
let stopping = false;
const stop = async () => {
  if (stopping) return;
  stopping = true;
  for (const one of running.toReversed()) await one.stop();
  process.exit(0);
};
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => void stop());
