/** Builds what is stale: each part remembers a fingerprint of the sources it was built from. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildServer, filesUnder } from './build-server.mjs';
import { root, writeWhole } from './processes.mjs';

/** The pages, then the chat for other pages beside them. */
const WEB_BUILDS = [
  ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'],
  ['scripts/build-chat.mjs', '--served'],
];

const buildWeb = () => {
  for (const args of WEB_BUILDS) {
    const { status } = spawnSync(process.execPath, args, {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    if (status !== 0) throw new Error('The web surfaces did not build.');
  }
};

const PARTS = [
  {
    name: 'server',
    out: 'dist/apps',
    sources: ['apps', 'libs', '.swcrc', 'package-lock.json'],
    build: buildServer,
  },
  {
    name: 'web',
    out: 'dist/web',
    sources: [
      'apps/web',
      'libs/protocol',
      'libs/client',
      'scripts/build-chat.mjs',
      'vite.config.ts',
      'package-lock.json',
    ],
    build: buildWeb,
    exists: () => existsSync(join(root, 'vite.config.ts')),
  },
];

const filesOf = (source) => {
  const path = join(root, source);
  if (!existsSync(path)) return [];
  return statSync(path).isDirectory() ? filesUnder(path) : [path];
};

/** Names, sizes and times of all sources: a renamed or deleted file shows as much as a newer one. */
const fingerprintOf = (sources) => {
  const hash = createHash('sha256');
  for (const path of sources.flatMap(filesOf).toSorted()) {
    // Gone since it was listed: an editor's own file.
    const found = statSync(path, { throwIfNoEntry: false });
    if (found) hash.update(`${path}\0${found.size}\0${found.mtimeMs}\n`);
  }
  return hash.digest('hex');
};

const stampOf = ({ name }) => join(root, 'dist', `.built-${name}`);

const isFresh = (part, fingerprint) => {
  try {
    return existsSync(join(root, part.out)) && readFileSync(stampOf(part), 'utf8') === fingerprint;
  } catch {
    return false;
  }
};

/** Where only dist was shipped there is nothing to build from. */
const hasSources = ({ exists = () => true }) => existsSync(join(root, '.swcrc')) && exists();

/** Builds the stale ones of `server` and `web`; gives the names of those it built. */
export const ensureBuilt = ({ log = () => {} } = {}) =>
  PARTS.filter(hasSources).flatMap((part) => {
    const fingerprint = fingerprintOf(part.sources);
    if (isFresh(part, fingerprint)) return [];
    log(`Building the ${part.name}.`);
    part.build();
    writeWhole(stampOf(part), fingerprint);
    return [part.name];
  });
