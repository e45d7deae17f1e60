/** Takes the measure of a JSON value without recursion, so that no nesting can hurt the one who asks. */
export interface JsonMeasure {
  readonly depth: number;
  readonly nodes: number;
  /** About as many characters as its JSON text has. */
  readonly size: number;
  /** Lengths of all strings, keys included. */
  readonly strings: readonly number[];
  /** A key that turns into a prototype in careless hands. */
  readonly poisoned: boolean;
}

const POISON: ReadonlySet<string> = new Set(['__proto__']);
/** Quotes, colon and comma around a key or a value. */
const PUNCTUATION = 4;
/** What a number, a boolean or null takes at most, nearly; a string takes it on top. */
const SCALAR_SIZE = 24;

interface Reached {
  readonly value: unknown;
  readonly depth: number;
}

const keysOf = (value: object): readonly string[] => (Array.isArray(value) ? [] : Object.keys(value));

export const measureJson = (root: unknown): JsonMeasure => {
  const strings: number[] = [];
  const pending: Reached[] = [{ value: root, depth: 0 }];
  let [depth, nodes, size, poisoned] = [0, 0, 0, false];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value } = next;
    nodes += 1;
    depth = Math.max(depth, next.depth);
    const isContainer = typeof value === 'object' && value !== null;
    const texts = typeof value === 'string' ? [value] : isContainer ? keysOf(value) : [];
    size += texts.reduce(
      (sum, text) => sum + text.length + PUNCTUATION,
      isContainer ? PUNCTUATION : SCALAR_SIZE,
    );
    for (const text of texts) strings.push(text.length);
    if (!isContainer) continue;
    poisoned ||= texts.some((key) => POISON.has(key));
    for (const member of Object.values(value)) pending.push({ value: member, depth: next.depth + 1 });
  }
  return { depth, nodes, size, strings, poisoned };
};
