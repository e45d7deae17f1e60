/** Checks a value against a JSON Schema without compiling code, and says in words what to mend. */
import { Validator, type OutputUnit, type Schema } from '@cfworker/json-schema';
import type { Language } from '../texts/catalogue.js';
import { groupedText } from './number-text.js';

export interface FieldError {
  /** Names from the root to the field. */
  readonly path: readonly string[];
  readonly text: string;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** These only repeat that something inside them is wrong. */
const WRAPPERS = new Set([
  'properties',
  'items',
  'prefixItems',
  'allOf',
  '$ref',
  'additionalProperties',
  'then',
  'else',
  'if',
]);

const steps = (pointer: string): readonly string[] =>
  pointer
    .replace(/^#/, '')
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));

const at = (document: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], document);

const figure = (limit: unknown): string => (typeof limit === 'number' ? groupedText(limit) : String(limit));

type Words = Readonly<Record<string, (limit: unknown) => string>>;
const EN: Words = {
  required: () => 'Fill this in.',
  type: (wanted) =>
    `This has to be ${wanted === 'number' || wanted === 'integer' ? 'a number' : `of kind ${String(wanted)}`}.`,
  minimum: (limit) => `At least ${figure(limit)}.`,
  maximum: (limit) => `At most ${figure(limit)}.`,
  exclusiveMinimum: (limit) => `More than ${figure(limit)}.`,
  exclusiveMaximum: (limit) => `Less than ${figure(limit)}.`,
  minLength: (limit) => `At least ${String(limit)} characters.`,
  maxLength: (limit) => `At most ${String(limit)} characters.`,
  enum: () => 'Choose one of the options.',
  const: () => 'This has to stay as it is.',
  format: (name) => `This does not look like ${String(name)}.`,
  pattern: () => 'This is not written the way it has to be.',
  other: () => 'This does not fit the rules of the form.',
};
const ZH: Words = {
  required: () => '请填写此项。',
  type: (wanted) =>
    wanted === 'number' || wanted === 'integer' ? '请输入数字。' : `类型应为 ${String(wanted)}。`,
  minimum: (limit) => `不小于 ${figure(limit)}。`,
  maximum: (limit) => `不大于 ${figure(limit)}。`,
  exclusiveMinimum: (limit) => `须大于 ${figure(limit)}。`,
  exclusiveMaximum: (limit) => `须小于 ${figure(limit)}。`,
  minLength: (limit) => `至少 ${String(limit)} 个字符。`,
  maxLength: (limit) => `至多 ${String(limit)} 个字符。`,
  enum: () => '请选择其中一项。',
  const: () => '此项不可更改。',
  format: (name) => `格式不符：${String(name)}。`,
  pattern: () => '书写格式不符。',
  other: () => '不符合表单规则。',
};

const MISSING = /required property "(.*)"/;

const errorOf = (unit: OutputUnit, schema: JsonSchema, words: Words): FieldError => {
  const place = steps(unit.instanceLocation);
  const missing = unit.keyword === 'required' ? MISSING.exec(unit.error)?.[1] : undefined;
  const limit = at(schema, steps(unit.keywordLocation));
  const say = words[unit.keyword] ?? words.other;
  return { path: missing === undefined ? place : [...place, missing], text: say?.(limit) ?? unit.error };
};

export const schemaErrors = (
  schema: JsonSchema,
  value: unknown,
  language: Language,
): readonly FieldError[] => {
  const { valid, errors } = new Validator(schema as Schema, '2020-12', false).validate(value);
  if (valid) return [];
  const leaves = errors.filter((unit) => !WRAPPERS.has(unit.keyword));
  const told = (leaves.length > 0 ? leaves : errors).map((unit) =>
    errorOf(unit, schema, language === 'zh' ? ZH : EN),
  );
  // `type` and `enum` both complain about an absent-minded value: one sentence a field is enough.
  return told.filter(
    (error, index) => told.findIndex((other) => other.path.join('/') === error.path.join('/')) === index,
  );
};

export const fits = (schema: JsonSchema, value: unknown): boolean =>
  new Validator(schema as Schema, '2020-12', true).validate(value).valid;
