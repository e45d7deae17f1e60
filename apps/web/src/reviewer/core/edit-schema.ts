/** Prepares a proposal for editing: its form, and the hidden values that must come back as they were. */
import type { TaskView } from '@triptych/protocol';
import { argsSchemaOf, REDACTED } from './values.js';

type Schema = Readonly<Record<string, unknown>>;
type Bag = Readonly<Record<string, unknown>>;

const isBag = (value: unknown): value is Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const schemaOfValue = (value: unknown): Schema => {
  if (typeof value === 'number') return { type: 'number' };
  if (typeof value === 'boolean') return { type: 'boolean' };
  if (isBag(value)) {
    return {
      type: 'object',
      properties: Object.fromEntries(Object.entries(value).map(([key, each]) => [key, schemaOfValue(each)])),
    };
  }
  return Array.isArray(value) ? { type: 'array', items: schemaOfValue(value[0] ?? '') } : { type: 'string' };
};

const isHidden = (value: unknown): boolean => value === REDACTED;

/** What nobody may see is not asked for; it goes back as the mark that the hub knows. */
const withoutHidden = (schema: Schema, args: unknown): Schema => {
  if (!isBag(args) || !isBag(schema.properties)) return schema;
  const hidden = new Set(Object.keys(args).filter((key) => isHidden(args[key])));
  const properties = Object.entries(schema.properties)
    .filter(([key]) => !hidden.has(key))
    .map(([key, property]) => [key, isBag(property) ? withoutHidden(property, args[key]) : property]);
  const required = Array.isArray(schema.required)
    ? { required: schema.required.filter((key: string) => !hidden.has(key)) }
    : {};
  return { ...schema, properties: Object.fromEntries(properties) as Bag, ...required };
};

/** The agent's schema for edited arguments, or one read off the arguments themselves. */
export const editSchema = (task: Pick<TaskView, 'responseSchema'>, args: unknown): Schema =>
  withoutHidden(argsSchemaOf(task.responseSchema) ?? schemaOfValue(args), args);

export const withoutRedacted = (value: unknown): unknown =>
  isBag(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, each]) => !isHidden(each))
          .map(([key, each]) => [key, withoutRedacted(each)]),
      )
    : value;

/** Puts the hidden values of `base` back where they were. */
export const withRedacted = (value: unknown, base: unknown): unknown => {
  if (!isBag(base) || !isBag(value)) return value;
  const hidden = Object.entries(base).filter(([, each]) => isHidden(each));
  const inner = Object.entries(value).map(([key, each]) => [key, withRedacted(each, base[key])] as const);
  return Object.fromEntries([...inner, ...hidden]);
};
