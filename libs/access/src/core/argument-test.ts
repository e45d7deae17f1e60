/** Judges one value of a tool's arguments against the tests of a rule: true, false, or impossible to say. */
import type { RuleMatch } from '@triptych/protocol';
import { globMatches } from './glob.js';
import { segmentsOf } from './shape.js';

export type Scalar = string | number | boolean | null;

/** Tests of one value; all must hold. Strings are globs. */
export type ValueTest = {
  readonly eq?: Scalar;
  readonly ne?: Scalar;
  readonly gt?: number;
  readonly gte?: number;
  readonly lt?: number;
  readonly lte?: number;
  readonly in?: readonly Scalar[];
  readonly exists?: boolean;
};

/** Tests by pointer into the arguments. */
export type ArgumentTests = Readonly<Record<string, ValueTest>>;

/** The arguments, when they are JSON. */
export type Arguments = { readonly known: true; readonly value: unknown } | { readonly known: false };

export type Tri = 'holds' | 'fails' | 'unclear';

/** One false decides; else one that cannot be evaluated; else all hold. */
export const conjunction = (verdicts: readonly Tri[]): Tri => {
  if (verdicts.includes('fails')) return 'fails';
  return verdicts.includes('unclear') ? 'unclear' : 'holds';
};

const tri = (held: boolean): Tri => (held ? 'holds' : 'fails');
const kindOf = (value: unknown): string => (value === null ? 'null' : typeof value);
const ABSENT = Symbol('absent');

const step = (value: unknown, segment: string): unknown => {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return ABSENT;
  if (Array.isArray(value) && segment === 'length') return ABSENT;
  return (value as Readonly<Record<string, unknown>>)[segment];
};

const valueAt = (args: unknown, pointer: string): unknown => segmentsOf(pointer).reduce(step, args);

const equals = (want: Scalar, got: unknown): Tri => {
  if (kindOf(want) !== kindOf(got)) return 'unclear';
  return tri(typeof want === 'string' ? globMatches(want, got as string) : want === got);
};

const oneOf = (wants: readonly Scalar[], got: unknown): Tri => {
  const verdicts = wants.map((want) => equals(want, got));
  if (verdicts.includes('holds')) return 'holds';
  return verdicts.includes('fails') ? 'fails' : 'unclear';
};

const opposite: Readonly<Record<Tri, Tri>> = { holds: 'fails', fails: 'holds', unclear: 'unclear' };
const ordered =
  (compare: (got: number, want: number) => boolean) =>
  (want: unknown, got: unknown): Tri =>
    typeof got === 'number' && typeof want === 'number' ? tri(compare(got, want)) : 'unclear';

const OPERATORS: Readonly<Record<Exclude<keyof ValueTest, 'exists'>, (want: never, got: unknown) => Tri>> = {
  eq: equals,
  ne: (want: Scalar, got) => opposite[equals(want, got)],
  gt: ordered((got, want) => got > want),
  gte: ordered((got, want) => got >= want),
  lt: ordered((got, want) => got < want),
  lte: ordered((got, want) => got <= want),
  in: oneOf,
};

const judgeOne = (operator: keyof ValueTest, want: unknown, got: unknown): Tri => {
  if (operator === 'exists') return tri((got !== ABSENT) === want);
  return got === ABSENT ? 'unclear' : OPERATORS[operator](want as never, got);
};

export interface TestOutcome {
  readonly verdict: Tri;
  readonly match: RuleMatch;
}

/** Every single test with its verdict; a value that is absent or not JSON can only be tested for `exists`. */
export const judgeArguments = (tests: ArgumentTests, args: Arguments): TestOutcome[] =>
  Object.entries(tests).flatMap(([pointer, test]) =>
    Object.entries(test).map(([op, want]: [string, unknown]) => {
      const got = args.known ? valueAt(args.value, pointer) : ABSENT;
      return {
        verdict: args.known ? judgeOne(op as keyof ValueTest, want, got) : ('unclear' as const),
        match: { pointer, op, want, got: got === ABSENT ? undefined : got },
      };
    }),
  );
