/** Gives the form library our fields, choices and errors instead of its own. */
import type { FieldTemplateProps, ObjectFieldTemplateProps, RJSFSchema, WidgetProps } from '@rjsf/utils';
import { sameJson } from '@triptych/protocol';
import { useState, type ChangeEvent, type FocusEvent } from 'react';
import { flushSync } from 'react-dom';
import { Icon } from '../icon.js';
import { figureIn, groupedText } from './number-text.js';

const errorId = (id: string): string => `${id}__problem`;
const hintId = (id: string): string => `${id}__hint`;

const described = ({ id, rawErrors, schema }: Pick<WidgetProps, 'id' | 'rawErrors' | 'schema'>) => ({
  'aria-invalid': rawErrors?.length ? true : undefined,
  'aria-describedby':
    [rawErrors?.length ? errorId(id) : '', schema.description ? hintId(id) : ''].filter(Boolean).join(' ') ||
    undefined,
});

const Problem = ({ id, texts }: { id: string; texts: readonly string[] | undefined }) =>
  texts?.length ? (
    <p className="err-text" id={errorId(id)}>
      <Icon name="alert" />
      <span>{texts.join(' ')}</span>
    </p>
  ) : null;

const isGroup = (schema: RJSFSchema): boolean =>
  schema.type === 'object' || schema.type === 'array' || schema.type === 'boolean';

const valueAt = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce((at: unknown, step) => (at as Record<string | number, unknown> | undefined)?.[step], value);

/** What was there before an edit is known only where something is edited. */
const isChanged = ({ registry, fieldPathId, formData, schema }: FieldTemplateProps): boolean => {
  const base = (registry.formContext as FormContext | undefined)?.base;
  return (
    base !== undefined && schema.type !== 'object' && !sameJson(formData, valueAt(base, fieldPathId.path))
  );
};

export interface FormContext {
  readonly base: unknown;
}

export const Field = (props: FieldTemplateProps) => {
  const { id, label, required, hidden, displayLabel, schema, children, rawErrors, uiSchema } = props;
  if (hidden) return <div hidden>{children}</div>;
  const className = isChanged(props) ? 'field changed' : 'field';
  const radio = uiSchema?.['ui:widget'] === 'radio';
  const content = (
    <>
      {schema.description && (
        <p className="hint" id={hintId(id)}>
          {schema.description}
        </p>
      )}
      {children}
      {schema.type !== 'object' && <Problem id={id} texts={rawErrors} />}
    </>
  );
  if (radio) {
    return (
      <fieldset className={className}>
        <legend>{label}</legend>
        {content}
      </fieldset>
    );
  }
  return (
    <div className={className}>
      {displayLabel && !isGroup(schema) && (
        <label htmlFor={id}>
          {label}
          {!required && <span aria-hidden="true" />}
        </label>
      )}
      {content}
    </div>
  );
};

export const ObjectFields = ({ properties, title, fieldPathId }: ObjectFieldTemplateProps) => {
  const nested = fieldPathId.path.length > 0;
  return (
    <div className={nested ? 'form-group' : 'form-fields'}>
      {nested && title && <p className="lab">{title}</p>}
      {properties.map((property) => property.content)}
    </div>
  );
};

const INPUT_TYPES: Readonly<Record<string, string>> = { date: 'date', email: 'email' };

const common = (props: WidgetProps) => ({
  id: props.id,
  className: props.rawErrors?.length ? 'input lg err' : 'input lg',
  required: props.required,
  disabled: props.disabled,
  readOnly: props.readonly,
  placeholder: props.placeholder,
  autoComplete: 'off',
  ...described(props),
});

/** No wheel and no arrow changes a figure; while it is written it is what was typed. */
const NumberInput = (props: WidgetProps) => {
  const value = props.value as string | number | undefined;
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const read = typeof value === 'number' ? groupedText(value) : (value ?? '');
  return (
    <input
      {...common(props)}
      type="text"
      inputMode={props.schema.type === 'integer' ? 'numeric' : 'decimal'}
      value={typed ?? read}
      onFocus={({ target }: FocusEvent<HTMLInputElement>) => {
        // Another text drops the selection: it is there before anything can be typed, and selected again.
        flushSync(() => setTyped(value === undefined ? '' : String(value)));
        target.select();
      }}
      onBlur={() => setTyped(undefined)}
      onChange={(event: ChangeEvent<HTMLInputElement>) => {
        const text = event.target.value;
        setTyped(text);
        props.onChange(text === '' ? undefined : figureIn(text));
      }}
    />
  );
};

export const Input = (props: WidgetProps) => {
  const { schema, value, onChange } = props;
  if (schema.type === 'number' || schema.type === 'integer') return <NumberInput {...props} />;
  return (
    <input
      {...common(props)}
      type={INPUT_TYPES[schema.format ?? ''] ?? 'text'}
      value={(value as string | undefined) ?? ''}
      onChange={(event: ChangeEvent<HTMLInputElement>) =>
        onChange(event.target.value === '' ? undefined : event.target.value)
      }
    />
  );
};

export const TextArea = (props: WidgetProps) => (
  <textarea
    id={props.id}
    className={props.rawErrors?.length ? 'input err' : 'input'}
    rows={3}
    value={(props.value as string | undefined) ?? ''}
    required={props.required}
    readOnly={props.readonly}
    onChange={(event) => props.onChange(event.target.value === '' ? undefined : event.target.value)}
    {...described(props)}
  />
);

export const Select = (props: WidgetProps) => {
  const choices = props.options.enumOptions ?? [];
  const at = choices.findIndex((choice) => choice.value === props.value);
  return (
    <select
      id={props.id}
      className={props.rawErrors?.length ? 'input lg err' : 'input lg'}
      value={at < 0 ? '' : String(at)}
      disabled={props.disabled || props.readonly}
      onChange={(event) => props.onChange(choices[Number(event.target.value)]?.value)}
      {...described(props)}
    >
      {at < 0 && <option value="" />}
      {choices.map((choice, index) => (
        <option key={String(choice.value)} value={index}>
          {choice.label}
        </option>
      ))}
    </select>
  );
};

export const Radios = (props: WidgetProps) => (
  <div className="opts" role="radiogroup" aria-label={props.label} {...described(props)}>
    {(props.options.enumOptions ?? []).map((choice, index) => (
      <label key={String(choice.value)} className={choice.value === props.value ? 'opt on' : 'opt'}>
        <input
          className="sr"
          type="radio"
          id={index === 0 ? props.id : `${props.id}-${index}`}
          name={props.id}
          checked={choice.value === props.value}
          disabled={props.disabled || props.readonly}
          onChange={() => props.onChange(choice.value)}
        />
        {choice.label}
      </label>
    ))}
  </div>
);

export const Checkbox = (props: WidgetProps) => (
  <label className="check">
    <input
      type="checkbox"
      id={props.id}
      checked={props.value === true}
      disabled={props.disabled || props.readonly}
      onChange={(event) => props.onChange(event.target.checked)}
      {...described(props)}
    />
    {props.label}
  </label>
);
