/** Judges an answer by the schema its agent gave, and refuses schemas that could harm the judge. */
import { Validator, type Schema } from '@cfworker/json-schema';
import { canonicalOf } from './canonical.js';
import { measureJson, type JsonMeasure } from './json-measure.js';
import type { PatternCost } from './pattern-cost.js';
import { SchemaReader } from './schema-reader.js';

export interface AnswerError {
  readonly pointer: string;
  readonly error: string;
}

export interface AnswerSchema {
  /** Empty: the answer fits. */
  errorsOf(answer: unknown): readonly AnswerError[];
  /** Schemas for a property of the answer, wherever the schema speaks of it. */
  property(name: string): readonly (Schema | boolean)[];
}

export type SchemaReading =
  { readonly ok: true; readonly schema: AnswerSchema } | { readonly ok: false; readonly why: string };

/** Answers are written by people; what is larger is a document and belongs elsewhere. */
const MAX_ANSWER_SIZE = 1024 * 1024;
const MAX_ANSWER_DEPTH = 64;
/** A schema beyond this is not written to ask a person something. */
const MAX_SCHEMA_SIZE = 64 * 1024;
const MAX_SCHEMA_JSON_DEPTH = 128;
/** About a quarter of a second: longer holds up everyone else on this process. */
const MAX_STEPS = 20_000_000;
/** Enough to mend a form; the rest follows when these are mended. */
const MAX_ERRORS = 20;

const whole = (error: string): readonly AnswerError[] => [{ pointer: '', error }];

/** What no answer may be, whatever its schema says. */
export const unfitAnswer = (answer: unknown, measure = measureJson(answer)): readonly AnswerError[] => {
  if (answer === undefined || answer === null) return whole('An answer is required.');
  if (measure.size > MAX_ANSWER_SIZE) return whole('The answer is too large.');
  if (measure.depth > MAX_ANSWER_DEPTH) return whole('The answer is nested too deeply.');
  if (measure.poisoned) return whole('The answer has a key that is not allowed.');
  return canonicalOf(answer) === undefined ? whole('The answer has text that is not valid Unicode.') : [];
};

const stepsOf = (costs: readonly PatternCost[], { strings }: JsonMeasure): number =>
  costs.reduce(
    (sum, { factor, power }) =>
      sum + strings.reduce((steps, length) => steps + factor * (length + 1) ** power, 0),
    0,
  );

const members = (schema: Schema | boolean): readonly (Schema | boolean)[] =>
  typeof schema === 'boolean'
    ? []
    : [
        schema,
        ...[...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(members),
      ];

class ReadSchema implements AnswerSchema {
  private readonly validator: Validator;

  constructor(
    private readonly schema: Schema | boolean,
    private readonly reader: SchemaReader,
  ) {
    this.validator = new Validator(schema, '2020-12');
  }

  errorsOf(answer: unknown): readonly AnswerError[] {
    const measure = measureJson(answer);
    const unfit = unfitAnswer(answer, measure);
    if (unfit.length > 0) return unfit;
    const { costs, nodes, comparesItems } = this.reader;
    const work = nodes * measure.nodes + (comparesItems ? measure.nodes ** 2 : 0);
    if (work + stepsOf(costs, measure) > MAX_STEPS) return whole('The answer is too large to be checked.');
    return this.validator
      .validate(answer)
      .errors.slice(-MAX_ERRORS)
      .map(({ instanceLocation, error }) => ({ pointer: instanceLocation.slice(1), error }));
  }

  property(name: string): readonly (Schema | boolean)[] {
    return members(this.schema).flatMap((member) => {
      const properties = typeof member === 'boolean' ? undefined : member.properties;
      const found = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
      return found === undefined ? [] : [found];
    });
  }
}

/** APR-10: a schema that reaches outside, has no end, is oversized or may match forever is never run. */
export const readSchema = (given: unknown): SchemaReading => {
  const { size, depth } = measureJson(given);
  if (size > MAX_SCHEMA_SIZE || depth > MAX_SCHEMA_JSON_DEPTH) return { ok: false, why: 'too large' };
  if (canonicalOf(given) === undefined) return { ok: false, why: 'not valid Unicode' };
  const reader = new SchemaReader(given);
  const schema = reader.read();
  if (reader.refused !== undefined) return { ok: false, why: reader.refused };
  return { ok: true, schema: new ReadSchema(schema, reader) };
};

const isBoolean = (schema: Schema | boolean): boolean =>
  typeof schema !== 'boolean' && [schema.type].flat().some((type) => String(type) === 'boolean');

export const asksForApproval = (schema: AnswerSchema): boolean => schema.property('approved').some(isBoolean);
/** APR-11: edits are taken only by an agent that says it reads them. */
export const offersEdit = (schema: AnswerSchema): boolean =>
  schema.property('editedArgs').some((property) => property !== false);
