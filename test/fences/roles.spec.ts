/** Holds all judgement by role in one library: whoever asks for a role by name elsewhere has a table of their own. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifies } from '../spec/verifies.js';

const ASKS_A_ROLE =
  /\broles\b\)?[?!]?\.(?:includes|some|every|find|findIndex|filter|indexOf|has)\b|\broles\b\[\d+\] [!=]==/gu;

const asksIn = (text: string): readonly string[] => text.match(ASKS_A_ROLE) ?? [];

/** What judges, and what only helps tests. */
const ELSEWHERE = /^libs\/(?:access|testkit)\/|\.spec\.ts$|\/contract\.ts$/u;

const filesUnder = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));

const judged = ['apps/hub/src', 'apps/worker/src', 'libs']
  .flatMap(filesUnder)
  .filter((path) => /\/src\/.*\.ts$/u.test(path) && !ELSEWHERE.test(path));

const BREACHES = [
  "if (actor.roles.includes('operator')) return true;",
  "const reviews = roles.some((role) => role === 'reviewer');",
  "new Set(actor.roles).has('admin') || actor?.roles?.find((role) => role === 'admin')",
  "actor.roles[0] === 'operator'",
];

describe('what somebody may do', () => {
  verifies('ACC-73', 'is asked of the one table: no other code asks for a role by its name', () => {
    expect(judged.length).toBeGreaterThan(300);
    const found = judged.flatMap((path) => asksIn(readFileSync(path, 'utf8')).map((asked) => [path, asked]));
    expect(found).toEqual([]);
  });

  verifies('ACC-73', 'elsewhere is seen by the fence', () => {
    for (const breach of BREACHES) expect([breach, asksIn(breach).length > 0]).toEqual([breach, true]);
  });

  verifies('ACC-72', 'is refused nowhere without a word why', () => {
    const mute = (text: string): boolean => /refuse\('FORBIDDEN'\)/u.test(text);
    expect(mute("return refuse('FORBIDDEN');")).toBe(true);
    expect(judged.filter((path) => mute(readFileSync(path, 'utf8')))).toEqual([]);
  });
});
