/** Finds what reading JSON loses without a word: of two members of one name the first is gone. */
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

type NumberTest = (literal: string) => boolean;

interface Scan {
  readonly text: string;
  readonly open: Open;
  readonly isFine: NumberTest;
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
  return scan.isFine(literal);
};

/**
 * True when no object of the text names a member twice, and every number passes. Walks text already known to be JSON,
 * token by token and without recursion.
 */
export const namesOnce = (text: string, isFine: NumberTest = () => true): boolean => {
  const scan: Scan = { text, isFine, open: [], at: 0, keyNext: false };
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
