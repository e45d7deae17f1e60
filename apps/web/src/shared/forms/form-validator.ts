/** Lets the form library validate with our checker, which needs no `eval` and so passes a strict content policy. */
import { Validator, type Schema } from '@cfworker/json-schema';
import { toErrorList, type ErrorSchema, type RJSFSchema, type ValidatorType } from '@rjsf/utils';
import type { Language } from '../texts/catalogue.js';
import { schemaErrors, type FieldError, type JsonSchema } from './schema-errors.js';

interface Tree {
  __errors?: string[];
  [name: string]: Tree | string[] | undefined;
}

/** The errors as the tree the form library shows beside its fields. */
export const errorTree = (errors: readonly FieldError[]): ErrorSchema => {
  const root: Tree = Object.create(null) as Tree;
  for (const { path, text } of errors) {
    const place = path.reduce<Tree>(
      (node, step) => (node[step] ??= Object.create(null) as Tree) as Tree,
      root,
    );
    (place.__errors ??= []).push(text);
  }
  return root as ErrorSchema;
};

export const formValidator = (language: Language): ValidatorType => ({
  validateFormData: (value, schema) => {
    const errorSchema = errorTree(schemaErrors(schema as JsonSchema, value, language));
    return { errors: toErrorList(errorSchema), errorSchema };
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
