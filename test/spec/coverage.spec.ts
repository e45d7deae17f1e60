/** Every rule has a proof and every proof a rule: the gate on this repository, and on planted ones. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { verifies } from './verifies.js';

const gate = join(process.cwd(), 'scripts/spec-gate.mjs');
const runGate = (cwd: string): { status: number | null; said: string } => {
  const { status, stderr } = spawnSync(process.execPath, [gate], { cwd, encoding: 'utf8' });
  return { status, said: stderr };
};

/** In pieces, so that the gate does not take these for proofs of this file. */
const proof = (id: string): string => `veri${'fies'}('${id}', 'holds', () => {});\n`;
const BOOK = '# Rules\n\n[Log](spec/log.md)\n';

const judged = (files: Readonly<Record<string, string>>): { status: number | null; said: string } => {
  const dir = mkdtempSync(join(tmpdir(), 'triptych-rules-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(dir, dirname(path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    }
    return runGate(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
};

describe('the rules of this repository', () => {
  verifies('OPS-14', 'are all proved, and every proof names one of them', () => {
    expect(runGate(process.cwd())).toEqual({ status: 0, said: '' });
  });
});

describe('the gate', () => {
  const rules = '- **LOG-1** Seq is dense.\n- **LOG-2** An old position\n  is refused.\n';

  verifies('OPS-14', 'passes rules that are proved, in tests and contract suites', () => {
    const files = { 'libs/log/src/a.spec.ts': proof('LOG-1'), 'libs/log/src/contract.ts': proof('LOG-2') };
    expect(judged({ 'docs/SPEC.md': BOOK, 'docs/spec/log.md': rules, ...files })).toEqual({
      status: 0,
      said: '',
    });
  });

  const complaints: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
    ['a rule without proof', 'LOG-2 has no proof', { 'test/a.spec.ts': proof('LOG-1') }],
    [
      'a proof elsewhere than in a test',
      'LOG-2 has no proof',
      { 'test/a.spec.ts': proof('LOG-1'), 'test/b.ts': proof('LOG-2') },
    ],
    ['a proof of no rule', 'LOG-9, which is no rule', { 'test/a.spec.ts': proof('LOG-9') }],
    ['a rule given twice', 'LOG-1 is already a rule', { 'docs/spec/two.md': '- **LOG-1** Again.\n' }],
    [
      'a rule of three lines',
      'LOG-3 is longer than 2 lines',
      { 'docs/spec/three.md': '- **LOG-3** One\n  two\n  three.\n' },
    ],
    ['a rule badly written', 'looks like a rule', { 'docs/spec/bad.md': '* **LOG4** Bad.\n' }],
    ['a chapter nobody links', 'does not link spec/lost.md', { 'docs/spec/lost.md': '# Lost\n' }],
    ['a book without rules', 'holds no rule', { 'docs/spec/log.md': '# Log\n' }],
  ];
  for (const [what, words, files] of complaints) {
    verifies('OPS-14', `names ${what}`, () => {
      const { status, said } = judged({ 'docs/SPEC.md': BOOK, 'docs/spec/log.md': rules, ...files });
      expect(said).toContain(words);
      expect(status).toBe(1);
    });
  }
});
