/** Turns a proposal's arguments into rows a person can read, with nothing invisible left in them. */
import { currencyIn, isSumName } from '@triptych/protocol';
import { readableName } from '../../shared/readable-name.js';

export type Value =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'money'; readonly value: number; readonly currency: string }
  | { readonly kind: 'yesno'; readonly value: boolean }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'redacted' };

export interface ValueRow {
  /** Dotted names from the root; the raw key beside the value. */
  readonly key: string;
  readonly label: string;
  readonly value: Value;
}

type Schema = Readonly<Record<string, unknown>>;
type Bag = Readonly<Record<string, unknown>>;

export const REDACTED = '[redacted]';
/** Deeper than this a proposal is shown as JSON. */
const MAX_DEPTH = 4;

const isBag = (value: unknown): value is Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Told {
  readonly currency: string | undefined;
  readonly schema: Schema | undefined;
}

const valueOf = (key: string, value: unknown, { currency, schema }: Told): Value => {
  if (value === null || value === undefined || value === '') return { kind: 'nothing' };
  if (value === REDACTED) return { kind: 'redacted' };
  if (typeof value === 'boolean') return { kind: 'yesno', value };
  if (typeof value === 'number') {
    return currency !== undefined && isSumName(key)
      ? { kind: 'money', value, currency }
      : { kind: 'number', value };
  }
  return {
    kind: 'text',
    text: typeof value === 'string' ? titledText(value, schema) : JSON.stringify(value),
  };
};

/** The word its schema has for a value; a title that reads otherwise does not hide the value. */
const titledText = (text: string, schema: Schema | undefined): string => {
  const choices = schema?.oneOf;
  const choice = Array.isArray(choices)
    ? choices.find((each) => isBag(each) && each.const === text)
    : undefined;
  const title = isBag(choice) ? choice.title : undefined;
  if (typeof title !== 'string') return text;
  return title.toLowerCase() === text.toLowerCase() ? title : `${title} (${text})`;
};

const titleIn = (schema: Schema | undefined, key: string): string => {
  const property = propertyIn(schema, key);
  return typeof property?.title === 'string' ? property.title : readableName(key);
};

const propertyIn = (schema: Schema | undefined, key: string): Schema | undefined => {
  const properties = schema?.properties;
  const property = isBag(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  return isBag(property) ? property : undefined;
};

interface Place {
  readonly path: readonly string[];
  readonly labels: readonly string[];
  readonly schema: Schema | undefined;
}

const rowsIn = (bag: Bag, { path, labels, schema }: Place): readonly ValueRow[] => {
  const currency = currencyIn(bag);
  const rows = Object.entries(bag).flatMap(([key, value]): readonly ValueRow[] => {
    const place = {
      path: [...path, key],
      labels: [...labels, titleIn(schema, key)],
      schema: propertyIn(schema, key),
    };
    const deep = (isBag(value) || isListOfBags(value)) && place.path.length < MAX_DEPTH;
    if (deep && Object.keys(value as object).length > 0)
      return rowsIn(isBag(value) ? value : numbered(value), place);
    const plain = Array.isArray(value) && !isListOfBags(value) ? value.map(String).join(', ') : value;
    const told = valueOf(key, plain, { currency, schema: place.schema });
    return [{ key: place.path.join('.'), label: place.labels.join(' › '), value: told }];
  });
  const saysCurrency = rows.some(({ value }) => value.kind === 'money' && value.currency === currency);
  return saysCurrency ? rows.filter(({ key }) => key !== [...path, 'currency'].join('.')) : rows;
};

const isListOfBags = (value: unknown): boolean => Array.isArray(value) && value.some(isBag);

const numbered = (list: unknown): Bag =>
  Object.fromEntries((list as readonly unknown[]).map((item, index) => [String(index + 1), item]));

/** Nothing when the arguments are not an object: there are no names to show. */
export const valueRows = (args: unknown, schema: Schema | undefined): readonly ValueRow[] | undefined =>
  isBag(args) ? rowsIn(args, { path: [], labels: [], schema }) : undefined;

/** The schema of the arguments as the answer may edit them. */
export const argsSchemaOf = (responseSchema: Schema | undefined): Schema | undefined =>
  propertyIn(responseSchema, 'editedArgs');

/** Controls, bidirectional marks, zero-width characters and selectors: they can make a value read as another. */
const INVISIBLE: readonly (readonly [from: number, to: number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe01ef],
];
const NEWLINE = 0x0a;

const isInvisible = (code: number): boolean =>
  code !== NEWLINE && INVISIBLE.some(([from, to]) => code >= from && code <= to);

export type TextPiece = { readonly text: string } | { readonly mark: string };

/** WEB-9: every invisible character becomes a mark that can be seen. */
export const visiblePieces = (text: string): readonly TextPiece[] => {
  const pieces: TextPiece[] = [];
  let run = '';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (!isInvisible(code)) {
      run += character;
      continue;
    }
    if (run !== '') pieces.push({ text: run });
    run = '';
    pieces.push({ mark: `U+${code.toString(16).toUpperCase().padStart(4, '0')}` });
  }
  return run === '' ? pieces : [...pieces, { text: run }];
};
