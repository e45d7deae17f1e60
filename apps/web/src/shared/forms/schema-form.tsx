/** A form made from a JSON Schema. Heavy: always loaded on demand. */
import Form from '@rjsf/core';
import type { ErrorSchema, RegistryWidgetsType, RJSFSchema, TemplatesType } from '@rjsf/utils';
import { useEffect, useMemo } from 'react';
import { useLanguage } from '../language.js';
import { Checkbox, Field, Input, ObjectFields, Radios, Select, TextArea } from './form-look.js';
import { errorTree, formValidator } from './form-validator.js';
import { fits, schemaErrors, type JsonSchema } from './schema-errors.js';
import { uiSchemaFor, withTitles } from './ui-schema.js';

const Nothing = () => null;

const TEMPLATES: Partial<TemplatesType> = {
  FieldTemplate: Field,
  ObjectFieldTemplate: ObjectFields,
  BaseInputTemplate: Input,
  ErrorListTemplate: Nothing,
};
const WIDGETS: RegistryWidgetsType = {
  RadioWidget: Radios,
  SelectWidget: Select,
  TextareaWidget: TextArea,
  CheckboxWidget: Checkbox,
};

export interface SchemaFormProps {
  readonly id: string;
  readonly schema: JsonSchema;
  readonly value: unknown;
  /** Told on every change, and once at the start. */
  readonly onChange: (value: unknown, fitting: boolean) => void;
  /** After the first try to send, problems are shown at once. */
  readonly showProblems: boolean;
  readonly readonly?: boolean;
  /** What is edited: fields that differ from it are marked. */
  readonly base?: unknown;
}

/** Not a form element itself: the caller's form holds it, with the button that sends. */
export const SchemaForm = ({
  id,
  schema,
  value,
  onChange,
  showProblems,
  readonly = false,
  base,
}: SchemaFormProps) => {
  const language = useLanguage();
  const validator = useMemo(() => formValidator(language), [language]);
  const titled = useMemo(() => withTitles(schema), [schema]);
  const uiSchema = useMemo(
    () => ({ ...uiSchemaFor(titled), 'ui:submitButtonOptions': { norender: true } }),
    [titled],
  );
  const context = useMemo(() => ({ base }), [base]);
  const problems = useMemo(
    () => (showProblems ? errorTree(schemaErrors(schema, value ?? {}, language)) : undefined),
    [showProblems, schema, value, language],
  );
  useEffect(() => {
    onChange(value, fits(schema, value ?? {}));
    // Only the first value is news to the caller; later ones come from `onChange` itself.
  }, [schema]);
  return (
    <Form
      idPrefix={id}
      tagName="div"
      schema={titled as RJSFSchema}
      uiSchema={uiSchema}
      formData={value}
      formContext={context}
      validator={validator}
      templates={TEMPLATES}
      widgets={WIDGETS}
      noValidate
      {...(problems === undefined ? {} : { extraErrors: problems as ErrorSchema })}
      showErrorList={false}
      noHtml5Validate
      readonly={readonly}
      onChange={({ formData }) => onChange(formData, fits(schema, formData ?? {}))}
    />
  );
};
