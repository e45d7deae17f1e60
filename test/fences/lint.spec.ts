/** Plants breaches of the size, purity and safety rules and expects the linter to name them. */
import { plant, type Planted } from './plant.js';
import { verifies } from '../spec/verifies.js';

const lines = (count: number, text: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => text(n)).join('\n');
const inCore = (body: string): string => `/** Planted. */\n${body}\n`;

/** What each planted file breaks: [path, text, the code the linter must report]. */
const BREACHES: readonly (readonly [path: string, text: string, code: string])[] = [
  ['libs/runs/src/core/now.ts', inCore('export const now = () => Date.now();'), 'no-restricted-globals'],
  ['libs/runs/src/core/date.ts', inCore('export const day = () => new Date();'), 'no-restricted-globals'],
  [
    'libs/runs/src/core/tick.ts',
    inCore('export const t = (f: () => void) => setTimeout(f, 1);'),
    'no-restricted-globals',
  ],
  ['libs/runs/src/core/env.ts', inCore('export const env = () => process.env;'), 'no-restricted-globals'],
  ['libs/runs/src/core/say.ts', inCore('export const say = () => console.log(1);'), 'no-restricted-globals'],
  [
    'libs/runs/src/core/get.ts',
    inCore("export const get = () => fetch('http://127.0.0.1');"),
    'no-restricted-globals',
  ],
  [
    'libs/runs/src/core/id.ts',
    inCore('export const id = () => crypto.randomUUID();'),
    'no-restricted-globals',
  ],
  [
    'libs/runs/src/core/way-round.ts',
    inCore('export const w = () => globalThis.Date;'),
    'no-restricted-globals',
  ],
  [
    'libs/runs/src/core/dice.ts',
    inCore('export const dice = () => Math.random();'),
    'no-restricted-properties',
  ],
  [
    'libs/runs/src/core/uuid.ts',
    inCore("import { randomUUID } from 'node:crypto';\nexport const u = () => randomUUID();"),
    'no-restricted-imports',
  ],
  ['libs/runs/src/core/any.ts', inCore('export const a = (x: any) => x;'), 'no-explicit-any'],
  ['libs/runs/src/adapters/long-file.ts', lines(251, (n) => `export const v${n} = ${n};`), 'max-lines'],
  [
    'libs/runs/src/adapters/long.ts',
    `export const long = (): void => {\n${lines(41, (n) => `  void ${n};`)}\n};\n`,
    'max-lines-per-function',
  ],
  [
    'libs/runs/src/adapters/wide.ts',
    'export const wide = (a: 1, b: 2, c: 3, d: 4) => [a, b, c, d];\n',
    'max-params',
  ],
  [
    'libs/runs/src/adapters/deep.ts',
    'export const deep = (a: boolean) => {\n  if (a) { if (!a) { if (a) { if (!a) { return 1; } } } }\n  return 0;\n};\n',
    'max-depth',
  ],
  [
    'libs/runs/src/adapters/maze.ts',
    `export const maze = (n: number) => {\n${lines(13, (n) => `  if (n === ${n}) return ${n};`)}\n  return n;\n};\n`,
    'complexity',
  ],
  [
    'libs/runs/src/adapters/drop.ts',
    'const work = async () => 1;\nexport const drop = (): void => {\n  work();\n};\n',
    'no-floating-promises',
  ],
  [
    'libs/runs/src/adapters/hush.ts',
    'export const hush = (f: () => void) => {\n  try {\n    f();\n  } catch {}\n};\n',
    'no-empty',
  ],
  [
    'libs/runs/src/adapters/half.ts',
    "export const half = (s: 'a' | 'b') => {\n  switch (s) {\n    case 'a':\n      return 1;\n  }\n  return 2;\n};\n",
    'switch-exhaustiveness-check',
  ],
  ['libs/runs/src/adapters/shout.ts', 'export const shout = () => console.log(1);\n', 'no-console'],
  ['libs/runs/src/adapters/faceless.ts', 'export default 1;\n', 'no-default-export'],
  ['libs/runs/src/adapters/CamelCase.ts', 'export const a = 1;\n', 'filename-case'],
];
const LEGAL = {
  'libs/runs/src/adapters/clock.ts': 'export const now = (): number => Date.now();\n',
  'libs/runs/src/core/clock.spec.ts': 'export const now = (): number => Date.now();\n',
  'libs/runs/src/core/hash.ts':
    "import { createHash } from 'node:crypto';\nexport const h = (s: string) => createHash('sha256').update(s).digest('hex');\n",
  'apps/hub/src/run.controller.ts':
    'export class RunController {\n  constructor(readonly a: 1, readonly b: 2, readonly c: 3, readonly d: 4) {}\n}\n',
};

interface Diagnostic {
  readonly code: string;
  readonly filename: string;
}

describe('the lint fence', () => {
  let house: Planted;
  let found: readonly Diagnostic[];

  beforeAll(() => {
    house = plant({ ...LEGAL, ...Object.fromEntries(BREACHES.map(([path, text]) => [path, text])) });
    found = JSON.parse(
      house.run('oxlint', ['--type-aware', '--format', 'json', 'apps', 'libs']).out,
    ).diagnostics;
  });
  afterAll(() => house.remove());

  verifies('OPS-13', 'reports every planted breach where it stands', () => {
    const missed = BREACHES.filter(
      ([path, , code]) => !found.some((one) => one.filename === path && one.code.includes(`(${code})`)),
    );
    expect(missed.map(([path, , code]) => `${path}: ${code}`)).toEqual([]);
  });

  verifies('OPS-13', 'leaves legal code alone', () => {
    expect(found.filter((one) => one.filename in LEGAL)).toEqual([]);
  });
});
