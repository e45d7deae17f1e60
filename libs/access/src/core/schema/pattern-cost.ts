/** Bounds how long a regular expression can take, by its text alone: matching must never hold up everybody else. */

/** Steps for a string of length n stay under `factor · (n + 1)^power`. */
export interface PatternCost {
  readonly factor: number;
  readonly power: number;
}

/** Longer patterns are no check of an answer but a program. */
const MAX_PATTERN_LENGTH = 512;
/** A repetition with more room than this counts as unbounded. */
const MAX_BOUNDED_ROOM = 64;
/** A group with a choice in it may repeat this often; each round multiplies its paths. */
const MAX_CHOICE_ROUNDS = 4;
const MAX_POWER = 4;
const MAX_FACTOR = 1_000_000;

type Token =
  | { readonly kind: 'atom' | 'open' | 'close' | 'or' | 'anchor' }
  | { readonly kind: 'repeat'; readonly min: number; readonly max: number };

const ATOM =
  /^(?:\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[A-Za-z]|\\[^1-9kbB]|[^\\()[\]{}*+?|^$])/u;
const REPEAT = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/u;
const ANCHOR = /^(?:[\^$]|\\[bB])/u;
/** Plain and named groups only: look-around and back-references may cost anything. */
const OPEN = /^\((?:\?:|\?<[\w$]+>|(?!\?))/u;

const repeatOf = ([, sign, from = '0', comma, to]: RegExpExecArray): Token => {
  if (sign !== undefined)
    return { kind: 'repeat', min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
  const min = Number(from);
  const max = comma === undefined ? min : to === undefined || to === '' ? Infinity : Number(to);
  return { kind: 'repeat', min, max };
};

const nextToken = (rest: string): { readonly token: Token; readonly length: number } | undefined => {
  if (rest.startsWith(')')) return { token: { kind: 'close' }, length: 1 };
  if (rest.startsWith('|')) return { token: { kind: 'or' }, length: 1 };
  const repeat = REPEAT.exec(rest);
  if (repeat) return { token: repeatOf(repeat), length: repeat[0].length };
  for (const [kind, pattern] of [
    ['anchor', ANCHOR],
    ['open', OPEN],
    ['atom', ATOM],
  ] as const) {
    const found = pattern.exec(rest);
    if (found) return { token: { kind }, length: found[0].length };
  }
  return undefined;
};

const tokensOf = (pattern: string): readonly Token[] | undefined => {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length;) {
    const next = nextToken(pattern.slice(at));
    if (!next) return undefined;
    tokens.push(next.token);
    at += next.length;
  }
  return tokens;
};

/** One part of a pattern: the paths it opens, the characters each of them walks at least, and whether there is a choice. */
interface Part extends PatternCost {
  readonly length: number;
  readonly varies: boolean;
}

const EMPTY: Part = { factor: 1, power: 0, length: 0, varies: false };
const ATOM_PART: Part = { ...EMPTY, length: 1 };

const followedBy = (a: Part, b: Part): Part => ({
  factor: a.factor * b.factor,
  power: a.power + b.power,
  length: a.length + b.length,
  varies: a.varies || b.varies,
});

/** undefined: a choice inside a long repetition, whose paths multiply with every round. */
const repeated = (part: Part, min: number, max: number): Part | undefined => {
  if (part.varies && max > MAX_CHOICE_ROUNDS) return undefined;
  const rounds = part.varies ? max : 1;
  const unbounded = max - min >= MAX_BOUNDED_ROOM;
  return {
    factor: part.factor ** rounds * (unbounded ? 1 : max - min + 1),
    power: part.power * rounds + (unbounded ? 1 : 0),
    length: part.length * (unbounded ? min + 1 : max),
    varies: part.varies || max > min,
  };
};

interface Frame {
  readonly done: Part;
  readonly last: Part;
  readonly branches: number;
}
const FRESH: Frame = { done: EMPTY, last: EMPTY, branches: 1 };

const whole = ({ done, last, branches }: Frame): Part => {
  const part = followedBy(done, last);
  return branches === 1 ? part : { ...part, factor: part.factor * branches, varies: true };
};

const reduce = (stack: readonly Frame[], token: Token): readonly Frame[] | undefined => {
  const top = stack.at(-1);
  if (!top) return undefined;
  const below = stack.slice(0, -1);
  const push = (last: Part): readonly Frame[] => [
    ...below,
    { ...top, done: followedBy(top.done, top.last), last },
  ];
  switch (token.kind) {
    case 'atom':
      return push(ATOM_PART);
    case 'anchor':
      return push(EMPTY);
    case 'or':
      return [...below, { done: followedBy(top.done, top.last), last: EMPTY, branches: top.branches + 1 }];
    case 'open':
      return [...stack, FRESH];
    case 'close': {
      const outer = below.at(-1);
      if (!outer) return undefined;
      return [
        ...below.slice(0, -1),
        { ...outer, done: followedBy(outer.done, outer.last), last: whole(top) },
      ];
    }
    case 'repeat': {
      const last = repeated(top.last, token.min, token.max);
      return last ? [...below, { ...top, last }] : undefined;
    }
  }
};

/** undefined: this pattern is refused, for it is wrong or may take forever. */
export const patternCost = (pattern: string): PatternCost | undefined => {
  if (pattern.length > MAX_PATTERN_LENGTH) return undefined;
  const tokens = tokensOf(pattern);
  const stack = tokens?.reduce<readonly Frame[] | undefined>(
    (frames, token) => frames && reduce(frames, token),
    [FRESH],
  );
  const [only] = stack ?? [];
  if (!only || stack?.length !== 1) return undefined;
  const { factor, power, length } = whole(only);
  // Without `^` every start is tried.
  const tries = pattern.startsWith('^') && only.branches === 1 ? 0 : 1;
  const cost = { factor: factor * Math.max(1, length), power: power + tries };
  return cost.power > MAX_POWER || cost.factor > MAX_FACTOR ? undefined : cost;
};
