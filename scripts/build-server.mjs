/** Builds the server (`apps`, `libs`) into dist, beside the old build until the new one is whole. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './processes.mjs';

const SOURCES = ['apps', 'libs'];
/** Never emitted: the browser's part is Vite's, proofs do not ship. */
export const IGNORED = ['apps/web/**', '**/*.spec.ts', '**/contract.ts', 'libs/testkit/**', 'libs/*/test/**'];
/** Everything that is not code and not prose goes along: Lua scripts, JSON, templates. */
const NOT_AN_ASSET = /\.(tsx?|md)$/;
const NOT_SHIPPED = /^(apps\/web|libs\/testkit|libs\/[^/]+\/test)\//;

/** Builds that collide this often in a row are no accident. */
const REPLACE_TRIES = 10;

export const swcArgs = (outDir) => [
  ...SOURCES,
  '--out-dir',
  outDir,
  '--config-file',
  '.swcrc',
  '--ignore',
  IGNORED.join(','),
  '--quiet',
];

export const filesUnder = (dir) =>
  existsSync(dir)
    ? readdirSync(dir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    : [];

/** Copies what swc does not emit next to what it does. */
export const copyAssets = (outDir) => {
  const assets = SOURCES.flatMap((dir) => filesUnder(join(root, dir)))
    .map((path) => path.slice(root.length + 1))
    .filter((path) => !NOT_AN_ASSET.test(path) && !NOT_SHIPPED.test(path));
  for (const path of assets) {
    mkdirSync(join(root, outDir, dirname(path)), { recursive: true });
    copyFileSync(join(root, path), join(root, outDir, path));
  }
};

const moveIfThere = (from, to) => {
  try {
    renameSync(from, to);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
};

/** Puts a folder in the place of another by renaming, so that nobody sees half of it, not even another build. */
const replace = (fresh, place, aside) => {
  for (let tried = 1; ; tried++) {
    moveIfThere(place, `${aside}-${tried}`);
    try {
      return moveIfThere(fresh, place);
    } catch (error) {
      // Another build put its folder there in between; it is moved aside like the old one.
      if (tried === REPLACE_TRIES || error.code !== 'ENOTEMPTY') throw error;
    }
  }
};

/** Throws when swc does not compile; the old build then stays as it was. */
export const buildServer = () => {
  const fresh = `dist/.server-${process.pid}`;
  try {
    const swc = spawnSync(join(root, 'node_modules/.bin/swc'), swcArgs(fresh), {
      cwd: root,
      stdio: 'inherit',
    });
    if (swc.status !== 0) throw new Error('The server did not build.');
    copyAssets(fresh);
    for (const dir of SOURCES)
      replace(join(root, fresh, dir), join(root, 'dist', dir), join(root, fresh, `old-${dir}`));
  } finally {
    rmSync(join(root, fresh), { recursive: true, force: true });
  }
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) buildServer();
