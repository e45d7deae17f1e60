/** A Redis in JavaScript, in a process of its own: for trying out on a machine that has no redis-server. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import v8 from 'node:v8';
import { RedisServerState, Resp2Server, createRedisCommandExecutor } from 'js-redis-server/core';
import { writeWhole } from './processes.mjs';

/** What a crash may lose, as with `appendfsync everysec`. */
const SAVE_EVERY_MS = 1_000;
/** A save copies everything; this many times its duration passes before the next, so that it never takes over. */
const SAVE_SHARE = 10;

const [, , dir, wishedPort = '0'] = process.argv;
const file = join(dir, 'embedded.snapshot');
const state = new RedisServerState({ databaseCount: 16 });

const load = () => {
  let bytes;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  const now = Date.now();
  for (const { db, key, value, expiresAt } of v8.deserialize(bytes)) {
    const live = !expiresAt || expiresAt > now;
    if (live) state.getDatabase(db).set(key, value, expiresAt ? { expiresAt } : {});
  }
};

let dirty = false;
const save = () => {
  if (!dirty) return;
  dirty = false;
  const entries = state.databases.flatMap((db) =>
    db.entriesSnapshot().map((entry) => ({ db: db.id, ...entry })),
  );
  writeWhole(file, v8.serialize(entries));
};

const keepSaving = () => {
  const began = performance.now();
  save();
  const took = performance.now() - began;
  setTimeout(keepSaving, Math.max(SAVE_EVERY_MS, took * SAVE_SHARE)).unref();
};

load();
for (const database of state.databases) database.subscribe(() => (dirty = true));
const resp = new Resp2Server({ server: state, executor: createRedisCommandExecutor({}) });
// Its own listen() would bind every interface.
resp.server.listen({ port: Number(wishedPort), host: '127.0.0.1' });
await once(resp.server, 'listening');
keepSaving();

const leave = () => {
  save();
  process.exit(0);
};
for (const name of ['SIGTERM', 'SIGINT']) process.once(name, leave);
process.send?.({ port: resp.server.address().port });
