/** Compares two sets of values field by field. */
import type { ValueRow } from './values.js';

export interface Difference {
  readonly key: string;
  readonly label: string;
  readonly before?: string;
  readonly after?: string;
}

export interface FieldDiff {
  readonly changed: readonly Difference[];
  readonly same: number;
}

/** `say` writes a value as the reader sees it; what reads the same is the same. */
export const fieldDiff = (
  before: readonly ValueRow[],
  after: readonly ValueRow[],
  say: (row: ValueRow) => string,
): FieldDiff => {
  const old = new Map(before.map((row) => [row.key, row]));
  const now = new Map(after.map((row) => [row.key, row]));
  const keys = [...new Set([...old.keys(), ...now.keys()])];
  const pairs = keys.map((key) => difference(old.get(key), now.get(key), say));
  const changed = pairs.filter((pair) => pair.before !== pair.after);
  return { changed, same: pairs.length - changed.length };
};

const difference = (
  was: ValueRow | undefined,
  is: ValueRow | undefined,
  say: (row: ValueRow) => string,
): Difference => {
  const row = (is ?? was) as ValueRow;
  return {
    key: row.key,
    label: row.label,
    ...(was === undefined ? {} : { before: say(was) }),
    ...(is === undefined ? {} : { after: say(is) }),
  };
};

export interface Split {
  readonly head: string;
  readonly before: string;
  readonly after: string;
  readonly tail: string;
}

/** A figure is one with its separators, a word is one; so is each other character. */
const TOKENS = /\d+(?:[.,\u00a0\u202f]\d+)*|\p{L}[\p{L}\p{M}]*|./gsu;
const tokensOf = (text: string): readonly string[] => text.match(TOKENS) ?? [];

/** What two texts share at both ends, and what lies between; whole figures and words only. */
export const splitChange = (before: string, after: string): Split => {
  const [a, b] = [tokensOf(before), tokensOf(after)];
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return {
    head: a.slice(0, start).join(''),
    before: a.slice(start, a.length - end).join(''),
    after: b.slice(start, b.length - end).join(''),
    tail: a.slice(a.length - end).join(''),
  };
};
