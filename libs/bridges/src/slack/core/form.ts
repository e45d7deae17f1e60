/** Reads from a schema the fields a modal can ask for; where it says more than a modal can, there is no form. */
import { propertyOf } from './offers.js';
import { LIMITS } from './limits.js';

type Schema = Readonly<Record<string, unknown>>;
type Scalar = string | number | boolean | null;

interface Common {
  /** Of the property; '' where the answer is this one value. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly required: boolean;
}

export type Field = Common &
  (
    | { readonly kind: 'text'; readonly least: number; readonly most: number; readonly initial?: string }
    | {
        readonly kind: 'number';
        readonly whole: boolean;
        readonly min?: number;
        readonly max?: number;
        readonly initial?: number;
      }
    | { readonly kind: 'date'; readonly initial?: string }
    | { readonly kind: 'yes-no'; readonly initial?: boolean }
    | { readonly kind: 'one'; readonly values: readonly Scalar[]; readonly initial?: Scalar }
    | { readonly kind: 'some'; readonly values: readonly Scalar[]; readonly initial?: readonly Scalar[] }
  );

export interface Form {
  /** False: the answer is the one value of its only field. */
  readonly isObject: boolean;
  readonly fields: readonly Field[];
}

/** A modal has as many blocks, and needs some for what it says. */
const MAX_FIELDS = LIMITS.modalBlocks - 10;
const MAX_RADIO = LIMITS.options;

/** What a modal can keep to, or what says nothing about the answer. */
const OBJECT_WORDS = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'title',
  'description',
  '$schema',
  '$id',
  '$comment',
  'default',
  'examples',
]);
const FIELD_WORDS = new Set([
  ...[
    'type',
    'title',
    'description',
    'default',
    'examples',
    '$comment',
    'enum',
    'const',
    'format',
    'pattern',
  ],
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['items', 'minItems', 'maxItems', 'uniqueItems'],
]);

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const speaksOnly = (schema: Schema, words: ReadonlySet<string>): boolean =>
  Object.keys(schema).every((word) => words.has(word));
const isScalar = (value: unknown): value is Scalar =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);
const numberIn = (schema: Schema, word: string): number | undefined => {
  const value = schema[word];
  return typeof value === 'number' ? value : undefined;
};
/** undefined: too many, or not plain values. */
const valuesOf = (schema: Schema): readonly Scalar[] | undefined => {
  const { enum: some, const: only } = schema;
  const values: unknown = 'const' in schema ? [only] : some;
  const fits = Array.isArray(values) && values.length > 0 && values.length <= MAX_RADIO;
  return fits && values.every(isScalar) ? values : undefined;
};

interface Asked {
  readonly common: Common;
  readonly schema: Schema;
  /** What is there now. */
  readonly initial: unknown;
}

const choice = ({ common, schema, initial }: Asked): Field | undefined => {
  const values = valuesOf(schema);
  if (!values) return undefined;
  return { ...common, kind: 'one', values, initial: values.find((value) => value === initial) };
};

const choices = ({ common, schema, initial }: Asked): Field | undefined => {
  const { items } = schema;
  const values = isSchema(items) && speaksOnly(items, FIELD_WORDS) ? valuesOf(items) : undefined;
  if (!values) return undefined;
  const chosen = Array.isArray(initial) ? values.filter((value) => initial.includes(value)) : [];
  // Another order, or one of them twice, would not come back as it was.
  if (Array.isArray(initial) && chosen.length < initial.length) return undefined;
  return { ...common, kind: 'some', values, initial: chosen };
};

const text = ({ common, schema, initial }: Asked): Field | undefined => {
  if (initial !== undefined && (typeof initial !== 'string' || initial.length > LIMITS.inputText))
    return undefined;
  if (schema['format'] === 'date') return { ...common, kind: 'date', initial };
  const least = Math.max(numberIn(schema, 'minLength') ?? 0, 0);
  const most = Math.min(numberIn(schema, 'maxLength') ?? LIMITS.inputText, LIMITS.inputText);
  return least > most || most < 1 ? undefined : { ...common, kind: 'text', least, most, initial };
};

const number = ({ common, schema, initial }: Asked): Field | undefined => {
  if (initial !== undefined && typeof initial !== 'number') return undefined;
  const [min, max] = [numberIn(schema, 'minimum'), numberIn(schema, 'maximum')];
  return { ...common, kind: 'number', whole: schema['type'] === 'integer', min, max, initial };
};

const yesNo = ({ common, initial }: Asked): Field | undefined =>
  initial !== undefined && typeof initial !== 'boolean' ? undefined : { ...common, kind: 'yes-no', initial };

const BY_TYPE: Readonly<Record<string, (asked: Asked) => Field | undefined>> = {
  string: text,
  number,
  integer: number,
  boolean: yesNo,
  array: choices,
};

interface Property {
  readonly name: string;
  readonly schema: unknown;
  readonly required: boolean;
  readonly initial: unknown;
}

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

const fieldOf = ({ name, schema, required, initial }: Property): Field | undefined => {
  if (!isSchema(schema) || !speaksOnly(schema, FIELD_WORDS)) return undefined;
  const label = textIn(schema['title']) ?? (name === '' ? 'Answer' : name);
  const common = { name, label, hint: textIn(schema['description']), required };
  const asked = { common, schema, initial: initial ?? schema['default'] };
  if ('enum' in schema || 'const' in schema) return choice(asked);
  return BY_TYPE[String(schema['type'])]?.(asked);
};

const objectForm = (schema: Schema, initial: Schema): Form | undefined => {
  const { properties = {}, required = [] } = schema;
  if (!speaksOnly(schema, OBJECT_WORDS) || !isSchema(properties) || !Array.isArray(required))
    return undefined;
  const names = Object.keys(properties);
  // What must be there, but nobody says how, cannot be asked for.
  if (
    names.length === 0 ||
    names.length > MAX_FIELDS ||
    !required.every((name) => names.includes(String(name)))
  )
    return undefined;
  const fields = names.map((name) =>
    fieldOf({ name, schema: properties[name], required: required.includes(name), initial: initial[name] }),
  );
  return fields.every((field) => field !== undefined) ? { isObject: true, fields } : undefined;
};

/** The form of an answer; undefined: it is answered in the console. */
export const answerForm = (schema: unknown): Form | undefined => {
  const asked = schema ?? { type: 'string' };
  if (!isSchema(asked)) return undefined;
  if (asked['type'] === 'object') return objectForm(asked, {});
  const field = fieldOf({ name: '', schema: asked, required: true, initial: undefined });
  return field && { isObject: false, fields: [field] };
};

const TYPES: Readonly<Record<string, string>> = { string: 'string', number: 'number', boolean: 'boolean' };

/** Where the schema leaves the arguments open, what they hold now says what can be changed. */
const schemaLike = (args: Schema): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, { type: TYPES[typeof value] ?? 'object' }]),
  ),
  required: Object.keys(args),
});

/** The form of other arguments, filled with those there are. */
export const editForm = (responseSchema: unknown, args: unknown): Form | undefined => {
  if (!isSchema(args)) return undefined;
  const schema = propertyOf(responseSchema, 'editedArgs');
  const spelled = isSchema(schema) && 'properties' in schema;
  const form = objectForm(spelled ? schema : schemaLike(args), args);
  // What has no field would be lost: edited arguments replace the old ones whole.
  return form && Object.keys(args).every((name) => form.fields.some((field) => field.name === name))
    ? form
    : undefined;
};
