/** The closing line of `npm test`, and the exit code that goes with it. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '../spec/verifies.js';

const root = process.cwd();
const PASSES = `it('holds', () => {});\n`;
const FAILS = `it('holds', () => { throw new Error('no'); });\n`;
const SKIPS = `it.skip('holds', () => {});\n`;
const LEAVES_WORDS = `globalThis.lastWords = new Set([() => 'the hub said this last']);\n`;
const BREAKS = `throw new Error('cannot even load');\n`;

type Suites = Readonly<Record<string, string>>;

const run = (suites: Suites) => {
  const dir = mkdtempSync(join(tmpdir(), 'triptych-tested-'));
  try {
    cpSync(join(root, 'scripts'), join(dir, 'scripts'), { recursive: true });
    mkdirSync(join(dir, 'test'));
    cpSync(join(root, 'test/environment.js'), join(dir, 'test/environment.js'));
    symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'));
    writeFileSync(
      join(dir, 'package.json'),
      '{"type":"module","jest":{"testEnvironment":"./test/environment.js","testMatch":["**/*.spec.mjs"],"transform":{}}}',
    );
    for (const [name, text] of Object.entries(suites)) writeFileSync(join(dir, 'test', name), text);
    return spawnSync(process.execPath, ['scripts/test.mjs'], { cwd: dir, encoding: 'utf8' });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
};

const tested = (suites: Suites): { status: number | null; last: string } => {
  const { status, stdout } = run(suites);
  return { status, last: stdout.trimEnd().split('\n').at(-1) ?? '' };
};

describe('npm test', () => {
  verifies('OPS-16', 'closes with the counts and succeeds when all pass', () => {
    const suites = { 'a.spec.mjs': PASSES + SKIPS, 'b.spec.mjs': PASSES };
    expect(tested(suites)).toEqual({ status: 0, last: '2 passed, 0 failed, 1 skipped' });
  });
  verifies('OPS-16', 'fails on a failing test, and on a suite that does not load', () => {
    const suites = { 'a.spec.mjs': PASSES + FAILS, 'b.spec.mjs': BREAKS };
    expect(tested(suites)).toEqual({ status: 1, last: '1 passed, 2 failed, 0 skipped' });
  });
  verifies(
    'OPS-25',
    'prints what the product of a failing test said last, and nothing of one that passes',
    () => {
      const { stderr } = run({ 'a.spec.mjs': LEAVES_WORDS + FAILS, 'b.spec.mjs': LEAVES_WORDS + PASSES });
      expect(stderr.match(/holds failed, and this was said last:\nthe hub said this last/g)).toHaveLength(1);
    },
  );
  verifies('OPS-16', 'fails when no test ran', () => {
    expect(tested({ 'a.spec.mjs': SKIPS })).toEqual({ status: 1, last: '0 passed, 0 failed, 1 skipped' });
    expect(tested({}).status).toBe(1);
  });
});
