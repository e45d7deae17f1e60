/** Makes inputs of a card from the schema of an answer, and the answer from what was put in. */
import { ok, refuse, type Result } from '@triptych/protocol';
import type { Choice, Input } from './adaptive-card.js';
import { shown } from './card-text.js';

type Schema = Readonly<Record<string, unknown>>;

type Kind =
  | { readonly is: 'text'; readonly max?: number; readonly pattern?: string }
  | { readonly is: 'number' | 'integer'; readonly min?: number; readonly max?: number }
  | { readonly is: 'toggle'; readonly otherwise: boolean }
  | { readonly is: 'date' }
  /** A choice travels as its place in the list: values may hold commas, by which several are separated. */
  | { readonly is: 'choice' | 'choices'; readonly values: readonly unknown[] };

export interface Field {
  /** undefined: the answer is this one value. */
  readonly key: string | undefined;
  readonly title: string;
  readonly required: boolean;
  readonly kind: Kind;
}

/** More than a card has room for is asked in the console. */
const MAX_FIELDS = 15;
const MAX_CHOICES = 100;
const LABEL_BYTES = 120;
const CHOICE_BYTES = 80;
/** Longer patterns are not worth their bytes; the hub checks the answer anyway. */
const MAX_PATTERN_LENGTH = 200;
/** Of texts that are put in as text. */
const TEXT_FORMATS: readonly unknown[] = ['email', 'uri'];
/** Texts that may be longer get several lines. */
const ONE_LINE = 100;

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const numberAt = (schema: Schema, key: string): number | undefined =>
  typeof schema[key] === 'number' ? schema[key] : undefined;

const choicesIn = ({ enum: values }: Schema): readonly unknown[] | undefined => {
  if (!Array.isArray(values) || values.length === 0 || values.length > MAX_CHOICES) return undefined;
  const isPlain = values.every((value) => ['string', 'number', 'boolean'].includes(typeof value));
  return isPlain ? values : undefined;
};

const textKind = (schema: Schema): Kind | undefined => {
  if (schema.format === 'date') return { is: 'date' };
  if (schema.format !== undefined && !TEXT_FORMATS.includes(schema.format)) return undefined;
  const max = numberAt(schema, 'maxLength');
  const pattern = typeof schema.pattern === 'string' ? schema.pattern : undefined;
  return {
    is: 'text',
    ...(max === undefined ? {} : { max }),
    ...(pattern === undefined || pattern.length > MAX_PATTERN_LENGTH ? {} : { pattern }),
  };
};

const numberKind = (schema: Schema, is: 'number' | 'integer'): Kind => {
  const [min, max] = [numberAt(schema, 'minimum'), numberAt(schema, 'maximum')];
  return { is, ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
};

const kindOf = (schema: unknown): Kind | undefined => {
  if (!isObject(schema)) return undefined;
  if (schema.enum !== undefined) {
    const values = choicesIn(schema);
    return values && { is: 'choice', values };
  }
  switch (schema.type) {
    case 'string':
      return textKind(schema);
    case 'number':
    case 'integer':
      return numberKind(schema, schema.type);
    case 'boolean':
      // A switch is never unset: without a default nobody may be taken to have said no.
      return typeof schema.default === 'boolean'
        ? { is: 'toggle', otherwise: schema.default }
        : { is: 'choice', values: [true, false] };
    case 'array': {
      const values = isObject(schema.items) ? choicesIn(schema.items) : undefined;
      return values && { is: 'choices', values };
    }
    default:
      return undefined;
  }
};

const titleOf = (schema: unknown, key: string): string => {
  const title = isObject(schema) && typeof schema.title === 'string' ? schema.title : key;
  return shown(title, LABEL_BYTES).text;
};

const fieldsOfObject = ({ properties, required }: Schema): readonly Field[] | undefined => {
  if (!isObject(properties)) return undefined;
  const entries = Object.entries(properties);
  if (entries.length === 0 || entries.length > MAX_FIELDS) return undefined;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const fields = entries.map(([key, schema]) => {
    const kind = kindOf(schema);
    return kind && { key, title: titleOf(schema, key), required: needed.includes(key), kind };
  });
  return fields.every((field) => field !== undefined) ? fields : undefined;
};

/** undefined: a card cannot ask for it. */
export const fieldsOf = (schema: Schema | undefined): readonly Field[] | undefined => {
  if (schema === undefined) return undefined;
  if (schema.type === 'object') return fieldsOfObject(schema);
  const kind = kindOf(schema);
  return kind && [{ key: undefined, title: titleOf(schema, 'Your answer'), required: true, kind }];
};

const idOf = (nth: number): string => `i${nth}`;
const nameOf = (value: unknown): string =>
  value === true ? 'Yes' : value === false ? 'No' : shown(String(value), CHOICE_BYTES).text;
const choicesOf = (values: readonly unknown[]): readonly Choice[] =>
  values.map((value, nth) => ({ title: nameOf(value), value: String(nth) }));

/** Up to so many choices are all in sight. */
const FEW = 4;

export const inputOf = ({ kind, title, required }: Field, nth: number): Input => {
  const base = {
    id: idOf(nth),
    label: title,
    ...(required ? { isRequired: true as const, errorMessage: 'An answer is needed here.' } : {}),
  };
  switch (kind.is) {
    case 'text':
      return {
        type: 'Input.Text',
        ...base,
        ...((kind.max ?? Infinity) > ONE_LINE ? { isMultiline: true as const } : {}),
        ...(kind.max === undefined ? {} : { maxLength: kind.max }),
        ...(kind.pattern === undefined ? {} : { regex: kind.pattern }),
      };
    case 'number':
    case 'integer': {
      const { is: _is, ...bounds } = kind;
      return { type: 'Input.Number', ...base, ...bounds };
    }
    case 'toggle': {
      const { isRequired: _needed, errorMessage: _said, ...named } = base;
      return { type: 'Input.Toggle', ...named, title: 'Yes', value: String(kind.otherwise) };
    }
    case 'date':
      return { type: 'Input.Date', ...base };
    case 'choice':
    case 'choices':
      return {
        type: 'Input.ChoiceSet',
        ...base,
        choices: choicesOf(kind.values),
        style: kind.values.length > FEW ? 'compact' : 'expanded',
        ...(kind.is === 'choices' ? { isMultiSelect: true as const } : {}),
      };
  }
};

const NOTHING = Symbol('nothing');

const chosen = (values: readonly unknown[], place: string): unknown =>
  /^\d{1,3}$/u.test(place) && Number(place) < values.length ? values[Number(place)] : NOTHING;

/** What was put in, or NOTHING where it says nothing that can be meant. */
const valueOf = (kind: Kind, raw: unknown): unknown => {
  const text = typeof raw === 'string' ? raw : String(raw);
  switch (kind.is) {
    case 'text':
    case 'date':
      return text;
    case 'number':
    case 'integer':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : NOTHING;
    case 'toggle':
      return text === 'true' ? true : text === 'false' ? false : NOTHING;
    case 'choice':
      return chosen(kind.values, text);
    case 'choices': {
      const values = text.split(',').map((place) => chosen(kind.values, place.trim()));
      return values.includes(NOTHING) ? NOTHING : values;
    }
  }
};

const isEmpty = (raw: unknown): boolean => raw === undefined || raw === null || raw === '';

/** The answer as the schema has it; whether it satisfies the schema is judged where every answer is. */
export const payloadFrom = (
  fields: readonly Field[],
  data: Readonly<Record<string, unknown>>,
): Result<unknown> => {
  const values: [string | undefined, unknown][] = [];
  for (const [nth, { key, kind, title, required }] of fields.entries()) {
    const raw = data[idOf(nth)];
    if (isEmpty(raw) && !required) continue;
    const value = isEmpty(raw) ? NOTHING : valueOf(kind, raw);
    if (value === NOTHING) return refuse('RESUME_PAYLOAD_INVALID', { message: `“${title}” is missing.` });
    values.push([key, value]);
  }
  const [first] = values;
  return ok(first && first[0] === undefined ? first[1] : Object.fromEntries(values));
};
