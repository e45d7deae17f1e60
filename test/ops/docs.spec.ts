/** The documents lead where they say. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { verifies } from '../spec/verifies.js';

const LINK = /\]\(([^)#\s]+)(?:#[^)]*)?\)/g;
const pages = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n');

const deadLinksOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(LINK)]
    .map(([, target]) => target ?? '')
    .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(dirname(page), target)))
    .map((target) => `${page} → ${target}`);

describe('the documents', () => {
  verifies('OPS-20', 'link only what is there', () => {
    expect(pages.flatMap(deadLinksOf)).toEqual([]);
  });
});
