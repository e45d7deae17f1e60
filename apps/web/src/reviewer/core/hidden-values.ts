/** Finds where the hidden values of a proposal lie, by the names under which their rows are shown. */
import { escapeToken } from '@triptych/protocol';
import { REDACTED } from './values.js';

const MAX_DEPTH = 4;

interface Found {
  readonly key: string;
  readonly pointer: string;
}

/** Rows of a list are numbered from one, its places from nought. */
const hiddenIn = (value: unknown, at: Found, depth: number): readonly Found[] => {
  if (value === REDACTED) return [at];
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([name, each], place) => {
    const shown = isList ? String(place + 1) : name;
    const key = at.key === '' ? shown : `${at.key}.${shown}`;
    return hiddenIn(each, { key, pointer: `${at.pointer}/${escapeToken(name)}` }, depth + 1);
  });
};

/** WEB-68: by row; where two rows read the same nothing is offered, or another value might be shown than was meant. */
export const hiddenValues = (args: unknown): ReadonlyMap<string, string> => {
  const found = hiddenIn(args, { key: '', pointer: '' }, 0);
  const isAlone = ({ key }: Found): boolean => found.filter((other) => other.key === key).length === 1;
  return new Map(found.filter(isAlone).map(({ key, pointer }) => [key, pointer]));
};
