/** Draws the fields of a form as the inputs of a modal. */
import type { InputBlock, PlainTextOption } from '@slack/types';
import type { Field, Form } from './form.js';
import { LIMITS } from './limits.js';
import { plain } from './text.js';

/** The one input of a block. */
export const INPUT_ACTION = 'in';
/** By number: a property may have any name, and Slack's ids may not. */
export const blockIdOf = (nth: number): string => `f.${nth}`;

/** By number again: a value may be longer than Slack's may. */
const optionsOf = (values: readonly unknown[]): readonly PlainTextOption[] =>
  values.map((value, nth) => ({ text: plain(String(value), LIMITS.optionText), value: String(nth) }));

const chosen = (values: readonly unknown[], initial: unknown): PlainTextOption | undefined =>
  optionsOf(values)[values.indexOf(initial)];

/** From so many characters on, a text gets room for several lines. */
const ONE_LINE = 200;

const YES_NO: readonly (readonly [string, boolean])[] = [
  ['Yes', true],
  ['No', false],
];
const YES_NO_OPTIONS: readonly PlainTextOption[] = YES_NO.map(([label, value]) => ({
  text: plain(label, LIMITS.optionText),
  value: String(value),
}));

/** Slack reads plain decimals only. */
const numberText = (value: number | undefined): string | undefined =>
  value === undefined || /e/u.test(String(value)) ? undefined : String(value);

/** Members that are undefined are not sent. */
const choiceOf = (field: Extract<Field, { kind: 'yes-no' | 'one' | 'some' }>): InputBlock['element'] => {
  const action_id = INPUT_ACTION;
  if (field.kind === 'yes-no') {
    const initial_option = YES_NO_OPTIONS.find(({ value }) => value === String(field.initial));
    return { type: 'radio_buttons', action_id, options: [...YES_NO_OPTIONS], initial_option };
  }
  const options = [...optionsOf(field.values)];
  if (field.kind === 'one') {
    const initial_option = field.initial === undefined ? undefined : chosen(field.values, field.initial);
    return { type: 'static_select', action_id, options, initial_option };
  }
  const initial = (field.initial ?? []).flatMap((value) => chosen(field.values, value) ?? []);
  const initial_options = initial.length > 0 ? initial : undefined;
  return { type: 'multi_static_select', action_id, options, initial_options };
};

const elementOf = (field: Field): InputBlock['element'] => {
  const action_id = INPUT_ACTION;
  switch (field.kind) {
    case 'text':
      return {
        ...{ type: 'plain_text_input', action_id, multiline: field.most > ONE_LINE },
        ...{ min_length: field.least > 0 ? field.least : undefined, max_length: field.most },
        initial_value: field.initial,
      };
    case 'number':
      return {
        ...{ type: 'number_input', action_id, is_decimal_allowed: !field.whole },
        ...{ min_value: numberText(field.min), max_value: numberText(field.max) },
        initial_value: numberText(field.initial),
      };
    case 'date':
      return { type: 'datepicker', action_id, initial_date: field.initial };
    case 'yes-no':
    case 'one':
    case 'some':
      return choiceOf(field);
  }
};

export const inputBlocks = ({ fields }: Form): readonly InputBlock[] =>
  fields.map((field, nth) => ({
    type: 'input',
    block_id: blockIdOf(nth),
    label: plain(field.label, LIMITS.label),
    optional: !field.required,
    element: elementOf(field),
    ...(field.hint === undefined ? {} : { hint: plain(field.hint, LIMITS.hint) }),
  }));
