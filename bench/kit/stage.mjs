/** Real hubs for a bench: own Redis, own data, own ports, the bench's agent and a policy that shows its text. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureBuilt } from '../../scripts/build.mjs';
import { freePort } from '../../scripts/ports.mjs';
import { ours, startNode } from '../../scripts/processes.mjs';
import { ensureRedis } from '../../scripts/redis.mjs';

const READY_WITHIN_MS = 30_000;
/** The crowd of a bench is one person, and in a hurry. */
const LIMITS = {
  MAX_SOCKETS_PER_SUBJECT: '10000',
  MAX_STREAMS_PER_SUBJECT: '10000',
  RATE_RUNS: '100000',
  RATE_FRAMES: '100000',
};

const agentsFile = (url) => `agents:
  - id: bench
    name: Bench
    connect: { type: http, url: '${url}' }
    roles: [customer, operator]
`;
const POLICY = 'surfaces:\n  customer: { state: [""] }\n  reviewer: {}\napprovals:\n  rules: []\n';

const untilReady = async (url, hub) => {
  let ended;
  void hub.exited.then((why) => (ended = why));
  for (const began = Date.now(); ; await pause(50)) {
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (answer?.ok) return;
    if (ended || Date.now() - began > READY_WITHIN_MS)
      throw new Error(`The hub is not ready (${ended ?? 'silent'}).`);
  }
};

const envFor = ({ redis, dataDir, env }) => ({
  ...process.env,
  HOST: '127.0.0.1',
  REDIS_URL: redis.url,
  DATA_DIR: dataDir,
  AGENTS_FILE: join(dataDir, 'agents.yaml'),
  POLICY_FILE: join(dataDir, 'policy.yaml'),
  ...LIMITS,
  LOG_LEVEL: 'warn',
  ...env,
});

const startHub = async (given) => {
  const port = await freePort();
  const env = { ...envFor(given), PORT: String(port) };
  const hub = ours(startNode({ script: 'dist/apps/hub/src/main.js', env }));
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilReady(url, hub);
  } catch (error) {
    await hub.stop();
    throw error;
  }
  return { url, port, pid: hub.pid, stop: hub.stop };
};

const startWorker = async (given) => {
  const worker = ours(startNode({ script: 'dist/apps/worker/src/main.js', env: envFor(given) }));
  const said = await Promise.race([worker.spoke, worker.exited, pause(READY_WITHIN_MS, 'silent')]);
  if (said === 'ready') return worker;
  await worker.stop();
  throw new Error(`The worker is not ready (${said}).`);
};

/** A Redis and as many hubs and workers on it as asked for; `stop` ends them all. */
export const openStage = async ({ agentUrl, hubs: count = 1, workers = 0, policy = POLICY, env = {} }) => {
  ensureBuilt();
  const dataDir = mkdtempSync(join(tmpdir(), 'triptych-bench-'));
  writeFileSync(join(dataDir, 'agents.yaml'), agentsFile(agentUrl));
  writeFileSync(join(dataDir, 'policy.yaml'), policy);
  const redis = await ensureRedis({ dataDir });
  const [hubs, helpers] = [[], []];
  const stop = async () => {
    for (const each of [...hubs, ...helpers]) await each.stop();
    await redis.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    while (hubs.length < count) hubs.push(await startHub({ redis, dataDir, env }));
    while (helpers.length < workers) helpers.push(await startWorker({ redis, dataDir, env }));
  } catch (error) {
    await stop();
    throw error;
  }
  return { hubs, redis, stop };
};

/** A call that must succeed. */
export const call = async (url, { token, body }) => {
  const headers = {
    'content-type': 'application/json',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};

export const tokenFor = async (hub, role) => {
  const body = { sub: `bench-${role}`, roles: [role], ttlSeconds: 3_600 };
  return (await call(`${hub.url}/v1/dev/token`, { body })).token;
};
