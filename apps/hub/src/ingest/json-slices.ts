/** Cuts JSON text into its parts without changing a character: what a producer wrote is what is stored. */

const SPACE = /[\t\n\r ]/u;
const OPENERS = new Set(['{', '[']);
const CLOSERS = new Set(['}', ']']);

const afterSpace = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && SPACE.test(text.charAt(at))) at += 1;
  return at;
};

const afterString = (text: string, from: number): number => {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
};

/** Where a value that begins at `from` ends: brackets are counted, not read. */
const afterValue = (text: string, from: number): number => {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const char = text.charAt(at);
    if (depth === 0 && (char === ',' || CLOSERS.has(char))) return at;
    if (char === '"') {
      at = afterString(text, at);
      continue;
    }
    if (OPENERS.has(char)) depth += 1;
    else if (CLOSERS.has(char)) depth -= 1;
    at += 1;
  }
  return at;
};

/** The texts of an array's elements; undefined: it is no array of values. What each value is, is not looked at. */
export const elementsOf = (text: string): readonly string[] | undefined => {
  let at = afterSpace(text, 0);
  if (text[at] !== '[') return undefined;
  const elements: string[] = [];
  for (let mark = '['; mark !== ']'; mark = text.charAt(at)) {
    const from = afterSpace(text, at + 1);
    at = afterValue(text, from);
    const element = text.slice(from, at).trimEnd();
    const isEmptyArray = mark === '[' && element === '' && text[at] === ']';
    if ((element === '' && !isEmptyArray) || (text[at] !== ',' && text[at] !== ']')) return undefined;
    if (element !== '') elements.push(element);
  }
  return afterSpace(text, at + 1) === text.length ? elements : undefined;
};

/** The text of an object's member, of several by one name the last, as JSON is read; the object must be well-formed. */
export const memberOf = (text: string, name: string): string | undefined => {
  let found: string | undefined;
  let at = afterSpace(text, 0);
  while (text[at] === '{' || text[at] === ',') {
    const from = afterSpace(text, at + 1);
    const end = afterString(text, from);
    if (text[from] !== '"') return found;
    const value = afterSpace(text, afterSpace(text, end) + 1);
    at = afterValue(text, value);
    if (JSON.parse(text.slice(from, end)) === name) found = text.slice(value, at).trimEnd();
  }
  return found;
};
