/** Holds that each row of the checklist in these chapters has a test, or is said to be open and why. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifies } from '../spec/verifies.js';
import { OPEN, ROWS, type Proof } from './rows.js';

const between = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, nth) => first + nth);
/** State and snapshots, interrupts and decisions; security, surfaces, ownership and audit. */
const GIVEN = [...between(48, 80), ...between(115, 143)];

const isThere = ([file, words]: Proof): boolean => {
  const path = join(process.cwd(), file);
  return existsSync(path) && readFileSync(path, 'utf8').includes(words);
};

describe('the checklist', () => {
  verifies('HUB-108', 'has every row once, proved or open', () => {
    const listed = [...ROWS.map(({ row }) => row), ...OPEN.keys()];
    expect(listed.toSorted((a, b) => a - b)).toEqual(GIVEN);
  });

  verifies('HUB-108', 'cites proofs by words of their own, not by what begins each of them', () => {
    const cited = ROWS.flatMap(({ proofs }) => proofs.map(([, words]) => words));
    expect(cited.filter((words) => /^\W*verifies\W*$/u.test(words))).toEqual([]);
  });

  for (const { row, item, proofs } of ROWS)
    verifies('HUB-108', `row ${row}: ${item}`, () => {
      expect(proofs.length).toBeGreaterThan(0);
      expect(proofs.filter((proof) => !isThere(proof))).toEqual([]);
    });
});
