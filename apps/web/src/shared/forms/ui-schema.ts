/** Chooses the control for each field of a schema: few options are all shown, long text gets room. */
import { readableName } from '../readable-name.js';
import type { JsonSchema } from './schema-errors.js';

/** More than this many radio buttons are harder to read than a list. */
const MAX_RADIOS = 5;
const LONG_TEXT = 160;

type UiSchema = Record<string, unknown>;

const choicesOf = (schema: JsonSchema): number => {
  if (Array.isArray(schema.enum)) return schema.enum.length;
  const oneOf = schema.oneOf;
  return Array.isArray(oneOf) && oneOf.every((option: JsonSchema) => 'const' in option) ? oneOf.length : 0;
};

export const uiSchemaFor = (schema: JsonSchema): UiSchema => {
  const choices = choicesOf(schema);
  if (choices > 0) return choices <= MAX_RADIOS ? { 'ui:widget': 'radio' } : { 'ui:widget': 'select' };
  if (schema.type === 'string') {
    const long = schema.format === 'textarea' || Number(schema.maxLength ?? 0) >= LONG_TEXT;
    return long ? { 'ui:widget': 'textarea' } : {};
  }
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([, property]) => typeof property === 'object')
      .map(([name, property]) => [name, uiSchemaFor(property)]),
  );
};

/** The schema with a title on every property, so that no form shows a machine's name. */
export const withTitles = (schema: JsonSchema): JsonSchema => {
  const properties = schema.properties as Record<string, JsonSchema> | undefined;
  if (properties === undefined) return schema;
  const titled = Object.entries(properties).map(([name, property]) =>
    typeof property === 'object'
      ? [name, { title: readableName(name), ...withTitles(property) }]
      : [name, property],
  );
  return { ...schema, properties: Object.fromEntries(titled) as Record<string, unknown> };
};
