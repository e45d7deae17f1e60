/** Builds `@triptych/client` into dist/client or the given folder: a whole package, to be packed or published. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { filesUnder } from './build-server.mjs';
import { root } from './processes.mjs';

const from = join(root, 'libs/client');
const protocol = join(root, 'libs/protocol/src/index.ts');
/** What whoever uses the package brings along, or has types of. */
const OUTSIDE = /^(@ag-ui\/(client|core)|rxjs)(\/|$)/;

/** The code with what it needs of the protocol, and nothing of it that it does not need. */
const buildCode = (out) =>
  build({
    configFile: false,
    root: from,
    logLevel: 'warn',
    resolve: { alias: { '@triptych/protocol': protocol } },
    build: {
      outDir: out,
      emptyOutDir: true,
      target: 'es2023',
      minify: false,
      sourcemap: true,
      lib: { entry: { index: 'src/index.ts', agent: 'src/agent.ts' }, formats: ['es'] },
      rolldownOptions: {
        external: OUTSIDE,
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
        treeshake: { moduleSideEffects: false },
      },
    },
  });

/** The declarations of both libraries, as the compiler writes them. */
const buildTypes = (out) => {
  const types = join(out, 'types');
  const args = ['-p', join(from, 'tsconfig.types.json'), '--outDir', types];
  const tsc = spawnSync(join(root, 'node_modules/.bin/tsc'), args, { cwd: root, stdio: 'inherit' });
  if (tsc.status !== 0) throw new Error('The declarations of the client did not build.');
  const door = join(types, 'protocol/src/index.js');
  for (const file of filesUnder(join(types, 'client'))) {
    const near = relative(dirname(file), door);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(`'@triptych/protocol'`, `'${near}'`));
  }
};

export const buildClient = async (out = join(root, 'dist/client')) => {
  rmSync(out, { recursive: true, force: true });
  await buildCode(out);
  buildTypes(out);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  writeFileSync(join(out, 'package.json'), `${JSON.stringify({ ...manifest, version }, undefined, 2)}\n`);
  copyFileSync(join(from, 'README.md'), join(out, 'README.md'));
  copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildClient(process.argv[2]);
