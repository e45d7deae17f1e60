/** The build: what it holds, when it is made again, and what a failure leaves. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { verifies } from '../spec/verifies.js';

const root = process.cwd();
const BUILD = `import('./scripts/build.mjs').then(({ ensureBuilt }) => console.log(JSON.stringify(ensureBuilt())))`;

describe('the build', () => {
  let dir: string;
  const write = (path: string, text: string): void => {
    mkdirSync(join(dir, dirname(path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  const build = (): { built: string; status: number | null } => {
    const done = spawnSync(process.execPath, ['-e', BUILD], { cwd: dir, encoding: 'utf8' });
    return { built: done.stdout.trim(), status: done.status };
  };

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'triptych-built-'));
    cpSync(join(root, 'scripts'), join(dir, 'scripts'), { recursive: true });
    cpSync(join(root, '.swcrc'), join(dir, '.swcrc'));
    symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'));
    write('package.json', '{"type":"module"}');
    write('libs/runs/src/index.ts', `export { one } from './core/one.js';\n`);
    write('libs/runs/src/core/one.ts', 'export const one: number = 1;\n');
    write('libs/runs/src/adapters/take.lua', 'return 1\n');
    write('apps/hub/src/main.ts', `import { one } from '@triptych/runs';\nconsole.log(one);\n`);
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  verifies('OPS-17', 'is made once, and again when a source changes, comes or goes', () => {
    expect(build().built).toBe('["server"]');
    expect(build().built).toBe('[]');
    write('libs/runs/src/core/one.ts', 'export const one: number = 2_000;\n');
    expect(build().built).toBe('["server"]');
    write('libs/runs/src/core/two.ts', 'export const two = 2;\n');
    expect(build().built).toBe('["server"]');
    rmSync(join(dir, 'libs/runs/src/core/two.ts'));
    expect(build().built).toBe('["server"]');
    expect(existsSync(join(dir, 'dist/libs/runs/src/core/two.js'))).toBe(false);
    const ran = spawnSync(process.execPath, [join(dir, 'dist/apps/hub/src/main.js')], { encoding: 'utf8' });
    expect(ran.stdout).toBe('2000\n');
  });

  verifies('OPS-17', 'leaves the old one when it fails', () => {
    build();
    write('libs/runs/src/core/one.ts', 'export const one: number = = 2;\n');
    expect(build().status).not.toBe(0);
    expect(readFileSync(join(dir, 'dist/libs/runs/src/core/one.js'), 'utf8')).toContain('one = 1');
    expect(readdirSync(join(dir, 'dist')).toSorted()).toEqual(['.built-server', 'apps', 'libs']);
  });

  verifies('OPS-18', 'holds scripts beside their code and nothing of the tests', () => {
    write('libs/runs/src/core/one.spec.ts', 'export const spec = 1;\n');
    write('libs/runs/src/contract.ts', 'export const suite = 1;\n');
    write('libs/testkit/src/index.ts', 'export const kit = 1;\n');
    write('apps/web/src/main.tsx', 'export const page = 1;\n');
    build();
    const files = readdirSync(join(dir, 'dist'), { recursive: true }).map(String);
    expect(files).toContain('libs/runs/src/adapters/take.lua');
    expect(files.filter((path) => /spec|contract|testkit|web/.test(path))).toEqual([]);
  });
});
