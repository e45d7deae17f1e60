/** `npm run check`: everything that can be judged without running the product, side by side, one line a part. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root } from './processes.mjs';

const modules = (path) => join('node_modules', path);
const CODE = ['apps', 'libs', 'test'];
/** The native compiler: same answers as the one the tools use, four times as fast. */
const TSC = modules('typescript-7/bin/tsc');

/** A place of its own: any prettier run without a cache deletes the one in the usual place. */
const CACHED = ['--cache', '--cache-location', modules('.cache/format-check')];

const PARTS = [
  { name: 'types', args: [TSC, '--noEmit', '-p', 'tsconfig.json'] },
  {
    name: 'types web',
    args: [TSC, '--noEmit', '-p', 'apps/web/tsconfig.json'],
    needs: 'apps/web/tsconfig.json',
  },
  {
    name: 'lint',
    args: [modules('oxlint/bin/oxlint'), '--type-aware', '--quiet', ...CODE, 'scripts', 'bench'],
  },
  {
    name: 'imports',
    args: [
      modules('dependency-cruiser/bin/dependency-cruise.mjs'),
      'apps',
      'libs',
      '--config',
      '.dependency-cruiser.cjs',
    ],
  },
  {
    name: 'format',
    args: [modules('prettier/bin/prettier.cjs'), '--check', ...CACHED, '--log-level', 'warn', '.'],
  },
  { name: 'codes page', args: ['scripts/gen-codes.mjs', '--check'] },
  { name: 'rules proved', args: ['scripts/spec-gate.mjs'] },
];

const runPart = async ({ name, args }) => {
  const began = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.on('data', (bytes) => (said += bytes));
  child.stderr.on('data', (bytes) => (said += bytes));
  const [code] = await once(child, 'close');
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'}  ${name.padEnd(14)} ${seconds.padStart(5)} s`);
  if (code !== 0) console.log(said.trimEnd());
  return code === 0;
};

/** As many at once as there are cores: more only take turns. */
const runAll = async (parts) => {
  const waiting = [...parts];
  const results = [];
  const lane = async () => {
    for (let part = waiting.shift(); part; part = waiting.shift()) results.push(await runPart(part));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  return results.every(Boolean);
};

const present = PARTS.filter(({ needs }) => !needs || existsSync(join(root, needs)));
process.exitCode = (await runAll(present)) ? 0 : 1;
