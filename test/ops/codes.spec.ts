/** docs/codes.md says what the tables say. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLOSE, REFUSALS, RUN_ERRORS } from '@triptych/protocol';
import { verifies } from '../spec/verifies.js';

const root = process.cwd();
const generate = (cwd: string, ...args: string[]): number | null =>
  spawnSync(process.execPath, [join(cwd, 'scripts/gen-codes.mjs'), ...args], { cwd }).status;

describe('the page of codes', () => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'triptych-codes-'));
    for (const path of ['scripts', 'libs/protocol', 'docs/codes.md'])
      cpSync(join(root, path), join(dir, path), { recursive: true });
    mkdirSync(join(dir, 'docs'), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'));
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  verifies('OPS-15', 'is current and names every code', () => {
    expect(generate(root, '--check')).toBe(0);
    const page = readFileSync(join(root, 'docs/codes.md'), 'utf8');
    const codes = [...Object.keys(REFUSALS), ...Object.keys(CLOSE), ...Object.keys(RUN_ERRORS)];
    expect(codes.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
  });

  verifies('OPS-15', 'is found stale when page or table changes, and mended by generating', () => {
    appendFileSync(join(dir, 'docs/codes.md'), 'by hand\n');
    expect(generate(dir, '--check')).toBe(1);
    expect(generate(dir)).toBe(0);
    expect(generate(dir, '--check')).toBe(0);
  });
});
