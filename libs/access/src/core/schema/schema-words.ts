/** The keywords of JSON Schema that are judged, and what each must hold; every other one says nothing about validity. */

export type Holds =
  | 'schema'
  | 'schemas'
  | 'schemas-by-name'
  | 'number'
  | 'count'
  | 'boolean'
  | 'names'
  | 'names-by-name'
  | 'types'
  | 'values'
  | 'value'
  | 'pattern'
  | 'format';

export const KEYWORDS: Readonly<Record<string, Holds>> = {
  type: 'types',
  const: 'value',
  enum: 'values',
  properties: 'schemas-by-name',
  patternProperties: 'schemas-by-name',
  additionalProperties: 'schema',
  unevaluatedProperties: 'schema',
  propertyNames: 'schema',
  required: 'names',
  dependentRequired: 'names-by-name',
  dependentSchemas: 'schemas-by-name',
  minProperties: 'count',
  maxProperties: 'count',
  items: 'schema',
  prefixItems: 'schemas',
  unevaluatedItems: 'schema',
  contains: 'schema',
  minContains: 'count',
  maxContains: 'count',
  minItems: 'count',
  maxItems: 'count',
  uniqueItems: 'boolean',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'number',
  minLength: 'count',
  maxLength: 'count',
  pattern: 'pattern',
  format: 'format',
  not: 'schema',
  if: 'schema',
  then: 'schema',
  else: 'schema',
  allOf: 'schemas',
  anyOf: 'schemas',
  oneOf: 'schemas',
};

/** Validity would depend on them, and they are not understood here: such a schema is not judged at all. */
export const REFUSED_KEYWORDS: ReadonlySet<string> = new Set([
  '$dynamicRef',
  '$recursiveRef',
  'additionalItems',
  'dependencies',
]);

/** Formats that are checked; in 2020-12 a format is a note unless its checker says otherwise. */
export const CHECKED_FORMATS: ReadonlySet<string> = new Set([
  'date',
  'time',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
  'uri',
]);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNames = (value: unknown): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');
const isSchema = (value: unknown): boolean => typeof value === 'boolean' || isObject(value);

/** Whether a keyword's value has the shape its meaning needs. */
export const SHAPES: Readonly<Record<Holds, (value: unknown) => boolean>> = {
  schema: isSchema,
  schemas: (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema),
  'schemas-by-name': (value) => isObject(value) && Object.values(value).every(isSchema),
  number: (value) => typeof value === 'number',
  count: (value) => Number.isInteger(value) && (value as number) >= 0,
  boolean: (value) => typeof value === 'boolean',
  names: isNames,
  'names-by-name': (value) => isObject(value) && Object.values(value).every(isNames),
  types: (value) => typeof value === 'string' || (isNames(value) && (value as readonly string[]).length > 0),
  values: (value) => Array.isArray(value),
  value: () => true,
  pattern: (value) => typeof value === 'string',
  format: (value) => typeof value === 'string',
};
