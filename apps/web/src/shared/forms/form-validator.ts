/** Lets the form library validate with our checker, which needs no `eval` and so passes a strict content policy. */
import { Validator, type Schema } from '@cfworker/json-schema';
import {
  toErrorSchema,
  type ErrorSchema,
  type RJSFSchema,
  type RJSFValidationError,
  type ValidatorType,
} from '@rjsf/utils';
import type { Language } from '../texts/catalogue.js';
import { schemaErrors, type FieldError, type JsonSchema } from './schema-errors.js';

const propertyOf = (path: readonly string[]): string =>
  path.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `['${step.replaceAll("'", "\\'")}']`)).join('');

const listOf = (errors: readonly FieldError[]): RJSFValidationError[] =>
  errors.map(({ path, text }) => ({ property: propertyOf(path), message: text, stack: text }));

/** The errors as the tree the form library shows beside its fields. */
export const errorTree = (errors: readonly FieldError[]): ErrorSchema =>
  toErrorSchema(listOf(errors)) as ErrorSchema;

export const formValidator = (language: Language): ValidatorType => ({
  validateFormData: (value, schema) => {
    const errors = listOf(schemaErrors(schema as JsonSchema, value, language));
    return { errors, errorSchema: toErrorSchema(errors) as ErrorSchema };
  },
  isValid: (schema, value, root) => {
    const validator = new Validator({ ...(schema as Schema), ...definitionsOf(root) }, '2020-12', true);
    return validator.validate(value).valid;
  },
  rawValidation: (schema, value) => ({
    errors: [...schemaErrors(schema as JsonSchema, value, language)] as never[],
  }),
});

const definitionsOf = (root: RJSFSchema): Schema => ({
  ...(root.$defs === undefined ? {} : { $defs: root.$defs }),
  ...(root.definitions === undefined ? {} : { definitions: root.definitions }),
});
