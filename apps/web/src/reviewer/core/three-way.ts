/** Sets an edit beside what it was made from and what stands there now, and brings the two together. */
import { sameJson } from '@triptych/protocol';
import type { ValueRow } from './values.js';

type Bag = Readonly<Record<string, unknown>>;

const isBag = (value: unknown): value is Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Three<T> {
  readonly was: T;
  readonly yours: T;
  readonly now: T;
}

/** WEB-66: what the reader changed is theirs, all else is as it is now. */
export const mergedEdit = ({ was, yours, now }: Three<unknown>): unknown => {
  if (!isBag(was) || !isBag(yours) || !isBag(now)) return sameJson(yours, was) ? now : yours;
  const keys = [...new Set([...Object.keys(now), ...Object.keys(yours)])];
  const entries = keys.flatMap((key): readonly (readonly [string, unknown])[] => {
    const [before, mine, theirs] = [was, yours, now].map((bag) =>
      Object.hasOwn(bag, key) ? bag[key] : undefined,
    );
    const merged = mergedEdit({ was: before, yours: mine, now: theirs });
    return merged === undefined ? [] : [[key, merged]];
  });
  return Object.fromEntries(entries);
};

export interface ThreeRow extends Three<string> {
  readonly key: string;
  readonly label: string;
  /** Both changed it, and not to the same. */
  readonly clash: boolean;
}

/** Field by field, those in which the three are not one; `say` writes a value as its reader sees it. */
export const threeRows = (
  { was, yours, now }: Three<readonly ValueRow[]>,
  say: (row: ValueRow) => string,
): readonly ThreeRow[] => {
  const labels = new Map([...was, ...yours, ...now].map(({ key, label }) => [key, label]));
  const said = (rows: readonly ValueRow[], key: string): string => {
    const row = rows.find((each) => each.key === key);
    return row === undefined ? '' : say(row);
  };
  const all = [...labels].map(([key, label]) => {
    const three = { was: said(was, key), yours: said(yours, key), now: said(now, key) };
    const clash = three.yours !== three.was && three.now !== three.was && three.yours !== three.now;
    return { key, label, ...three, clash };
  });
  return all.filter((row) => row.was !== row.yours || row.was !== row.now);
};
