/** Reads JSON only when nothing of it would be lost in reading: no repeated key, no number a double does not hold. */
import { isDeeperThan, MAX_DEPTH } from '@triptych/protocol';
import { canonicalOf } from './canonical.js';

export type ExactJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

const NOT_EXACT: ExactJson = { ok: false };

/** The number's digits without sign, point and idle zeros, and the power of ten they stand at. */
const decimalOf = (literal: string): string => {
  const [mantissa = '', power = '0'] = literal.replace(/^-/, '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const trimmed = digits.replace(/0+$/, '');
  return trimmed === ''
    ? '0'
    : `${trimmed}e${Number(power) - fraction.length + digits.length - trimmed.length}`;
};

/** A double "holds" the number it prints: what is shown, approved and sent on must be the same figure. */
const isHeld = (literal: string): boolean => {
  const text = String(Number(literal));
  return text === literal || (/^[-\d.e+]+$/.test(text) && decimalOf(text) === decimalOf(literal));
};

const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end;
  }
};

/** One entry for every open container: the keys of an object, or nothing for an array. */
type Open = (Set<string> | undefined)[];

const isNewKey = (open: Open, quoted: string): boolean => {
  const keys = open.at(-1);
  const key: unknown = JSON.parse(quoted);
  if (!keys || typeof key !== 'string') return true;
  const fresh = !keys.has(key);
  keys.add(key);
  return fresh;
};

const NUMBER = /-?\d[\d.eE+-]*/y;

interface Scan {
  readonly text: string;
  readonly open: Open;
  at: number;
  /** The next string of the innermost object is a key. */
  keyNext: boolean;
}

const punctuation: Readonly<Record<string, (scan: Scan) => void>> = {
  '{': (scan) => {
    scan.open.push(new Set());
    scan.keyNext = true;
  },
  '[': (scan) => {
    scan.open.push(undefined);
    scan.keyNext = false;
  },
  '}': (scan) => void scan.open.pop(),
  ']': (scan) => void scan.open.pop(),
  ',': (scan) => {
    scan.keyNext = scan.open.at(-1) !== undefined;
  },
  ':': (scan) => {
    scan.keyNext = false;
  },
};

const stringIsFine = (scan: Scan): boolean => {
  const end = endOfString(scan.text, scan.at);
  const fine = !scan.keyNext || isNewKey(scan.open, scan.text.slice(scan.at, end + 1));
  scan.at = end;
  return fine;
};

const numberIsFine = (scan: Scan): boolean => {
  NUMBER.lastIndex = scan.at;
  const literal = NUMBER.exec(scan.text)?.[0];
  if (literal === undefined) return true;
  scan.at += literal.length - 1;
  return isHeld(literal);
};

/** Walks text already known to be JSON, token by token and without recursion. */
const losesNothing = (text: string): boolean => {
  const scan: Scan = { text, open: [], at: 0, keyNext: false };
  for (; scan.at < text.length; scan.at += 1) {
    const char = text[scan.at] ?? '';
    if (char === '"') {
      if (!stringIsFine(scan)) return false;
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      if (!numberIsFine(scan)) return false;
    } else punctuation[char]?.(scan);
  }
  return true;
};

/** ACC-12: a repeated key, a number that a double does not hold exactly, or nesting beyond all events counts as not JSON. */
export const parseExactJson = (text: string): ExactJson => {
  try {
    const value: unknown = JSON.parse(text);
    // Whoever walks the value later may do so by recursion.
    return !isDeeperThan(value, MAX_DEPTH) && losesNothing(text) ? { ok: true, value } : NOT_EXACT;
  } catch (failure) {
    if (failure instanceof SyntaxError) return NOT_EXACT;
    throw failure;
  }
};

/** Parsed, or as the text they are; a call that brought none has neither. */
export type ReadArguments =
  | { readonly args: unknown; readonly argsText?: undefined }
  | { readonly args?: undefined; readonly argsText?: string };

/**
 * The arguments of a tool call as a proposal shows them. Lone surrogates have no hash that others could check, so such
 * arguments count as text.
 */
export const readArguments = (text: string): ReadArguments => {
  if (text.trim() === '') return {};
  const read = parseExactJson(text);
  return read.ok && canonicalOf(read.value) !== undefined ? { args: read.value } : { argsText: text };
};
