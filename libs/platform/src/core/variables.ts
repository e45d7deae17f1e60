/** How a setting is read from the environment: a variable, its form, and an example to show when it is wrong. */
import { z } from 'zod';

export interface Variable<S extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly form: S;
  readonly example: string;
  /** Never printed in full: `value` masks all of it, `password` the password of a URL. */
  readonly secret?: 'value' | 'password';
  /** Written in MiB, kept in bytes. */
  readonly unit?: 'MiB';
}

/** What is wrong with one variable; it stops the start. */
export interface Problem {
  readonly variable: string;
  readonly reason: string;
  readonly example: string;
}

export const describeProblem = ({ variable, reason, example }: Problem): string =>
  `${variable} ${reason}; for example ${variable}=${example}`;

export type VariableTable = Readonly<Record<string, Variable>>;
export type ValuesOf<T extends VariableTable> = { readonly [K in keyof T]: z.output<T[K]['form']> };

type Extras = Pick<Variable, 'secret' | 'unit'>;

export const variable = <S extends z.ZodType>(
  name: string,
  form: S,
  { example, ...extras }: Extras & { example: string },
): Variable<S> => ({ name, form, example, ...extras });

export const MIB = 1024 * 1024;

const within = (from: number, to: number): string => `must be between ${from} and ${to}`;

export const whole = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(from, within(from, to)).max(to, within(from, to)));

/** Up to a day: longer waits are a mistake of units. */
const DAY_MS = 86_400_000;
export const milliseconds = () => whole(0, DAY_MS);

/** A number of MiB, fractions allowed, as bytes. */
export const mebibytes = (to: number) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/, 'must be a number of MiB')
    .transform((text) => Math.floor(Number(text) * MIB))
    .pipe(
      z
        .number()
        .min(1, 'must be above 0')
        .max(to * MIB, `must be at most ${to}`),
    );

const isUrlOf = (text: string, schemes: readonly string[]): boolean =>
  URL.canParse(text) && schemes.includes(new URL(text).protocol);

export const url = (...schemes: readonly string[]) =>
  z
    .string()
    .refine((text) => isUrlOf(text, schemes), `must be a URL that starts with ${schemes.join(' or ')}`);

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

export const list = () =>
  z.string().transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );

export const origins = () =>
  list().refine(
    (items) => items.every(isOrigin),
    'must be exact origins, separated by commas; no * and no path',
  );

export const text = (minLength = 1) =>
  z.string().min(minLength, `must have at least ${minLength} characters`);
