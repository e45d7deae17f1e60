/** Judges an answer by the schema its agent gave. */
import { Validator, type Schema } from '@cfworker/json-schema';
import { canonicalOf, measureJson, safeSchema, type JsonMeasure, type SafeSchema } from '@triptych/access';

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

const stepsOf = ({ costs }: SafeSchema, { strings }: JsonMeasure): number =>
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

  constructor(private readonly safe: SafeSchema) {
    this.validator = new Validator(safe.schema, '2020-12');
  }

  errorsOf(answer: unknown): readonly AnswerError[] {
    const measure = measureJson(answer);
    const unfit = unfitAnswer(answer, measure);
    if (unfit.length > 0) return unfit;
    const { nodes, comparesItems } = this.safe;
    const work = nodes * measure.nodes + (comparesItems ? measure.nodes ** 2 : 0);
    if (work + stepsOf(this.safe, measure) > MAX_STEPS)
      return whole('The answer is too large to be checked.');
    return this.validator
      .validate(answer)
      .errors.slice(-MAX_ERRORS)
      .map(({ instanceLocation, error }) => ({ pointer: instanceLocation.slice(1), error }));
  }

  property(name: string): readonly (Schema | boolean)[] {
    return members(this.safe.schema).flatMap((member) => {
      const properties = typeof member === 'boolean' ? undefined : member.properties;
      const found = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
      return found === undefined ? [] : [found];
    });
  }
}

/** APR-10: a schema that could harm its judge is never run. */
export const readSchema = (given: unknown): SchemaReading => {
  const reading = safeSchema(given);
  return reading.ok ? { ok: true, schema: new ReadSchema(reading.safe) } : reading;
};

const isBoolean = (schema: Schema | boolean): boolean =>
  typeof schema !== 'boolean' && [schema.type].flat().some((type) => String(type) === 'boolean');

export const asksForApproval = (schema: AnswerSchema): boolean => schema.property('approved').some(isBoolean);
/** APR-11: edits are taken only by an agent that says it reads them. */
export const offersEdit = (schema: AnswerSchema): boolean =>
  schema.property('editedArgs').some((property) => property !== false);
