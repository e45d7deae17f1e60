/** Reads what somebody put into a modal's inputs, by the form it was drawn from. */
import { escapeToken } from '@triptych/protocol';
import type { Field, Form } from './form.js';
import { blockIdOf, INPUT_ACTION } from './inputs.js';

type Members = Readonly<Record<string, unknown>>;

/** By block: what is wrong with its input. */
export type FormErrors = Readonly<Record<string, string>>;
export type FormReading =
  { readonly ok: true; readonly answer: unknown } | { readonly ok: false; readonly errors: FormErrors };

type Read = { readonly value: unknown } | { readonly error: string };

const NOTHING: Read = { value: undefined };

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const chosenIn = (option: unknown, values: readonly unknown[]): Read => {
  if (!isMembers(option)) return NOTHING;
  const nth = /^\d{1,3}$/u.test(String(option['value'])) ? Number(option['value']) : -1;
  return nth >= 0 && nth < values.length ? { value: values[nth] } : { error: 'This is none of the choices.' };
};

const allChosenIn = (options: unknown, values: readonly unknown[]): Read => {
  if (!Array.isArray(options) || options.length === 0) return NOTHING;
  const all = options.map((option) => chosenIn(option, values));
  const wrong = all.find((each) => 'error' in each);
  return wrong ?? { value: all.map((each) => ('value' in each ? each.value : undefined)) };
};

const numberIn = (text: unknown, whole: boolean): Read => {
  if (typeof text !== 'string' || text.trim() === '') return NOTHING;
  const value = Number(text);
  if (!Number.isFinite(value)) return { error: 'This is no number.' };
  return whole && !Number.isSafeInteger(value) ? { error: 'A whole number is expected.' } : { value };
};

const textIn = (text: unknown): Read => (typeof text === 'string' && text !== '' ? { value: text } : NOTHING);

const yesNoIn = (option: unknown): Read => {
  if (!isMembers(option)) return NOTHING;
  const { value } = option;
  return value === 'true' || value === 'false' ? { value: value === 'true' } : { error: 'Yes or no?' };
};

const valueOf = (field: Field, state: Members): Read => {
  switch (field.kind) {
    case 'text':
      return textIn(state['value']);
    case 'number':
      return numberIn(state['value'], field.whole);
    case 'date':
      return textIn(state['selected_date']);
    case 'yes-no':
      return yesNoIn(state['selected_option']);
    case 'one':
      return chosenIn(state['selected_option'], field.values);
    case 'some':
      return allChosenIn(state['selected_options'], field.values);
  }
};

const stateAt = (values: unknown, nth: number): Members => {
  const block = isMembers(values) ? values[blockIdOf(nth)] : undefined;
  const state = isMembers(block) ? block[INPUT_ACTION] : undefined;
  return isMembers(state) ? state : {};
};

const readField = (field: Field, state: Members): Read => {
  const read = valueOf(field, state);
  const isMissing = 'value' in read && read.value === undefined && field.required;
  return isMissing ? { error: 'Something is expected here.' } : read;
};

/** `values`: the `state.values` of a submission. An input that was left empty is not in the answer. */
export const readForm = ({ fields, isObject }: Form, values: unknown): FormReading => {
  const reads = fields.map((field, nth) => ({ field, nth, read: readField(field, stateAt(values, nth)) }));
  const errors = reads.flatMap(({ nth, read }) => ('error' in read ? [[blockIdOf(nth), read.error]] : []));
  if (errors.length > 0) return { ok: false, errors: Object.fromEntries(errors) as FormErrors };
  const said = reads.flatMap(({ field, read }) =>
    'value' in read && read.value !== undefined ? [[field.name, read.value] as const] : [],
  );
  return { ok: true, answer: isObject ? Object.fromEntries(said) : said[0]?.[1] };
};

interface AnswerError {
  readonly pointer: string;
  readonly error: string;
}

const isAnswerError = (value: unknown): value is AnswerError =>
  isMembers(value) && typeof value['pointer'] === 'string' && typeof value['error'] === 'string';

/** Whether a pointer leads to the member of that name, or into it. */
const isAt = (pointer: string, place: string): boolean =>
  pointer === place || pointer.startsWith(`${place}/`);

/** What the judge of the answer found, under the inputs it is about; what is about none of them, under the first. */
export const errorsIn = (form: Form, details: unknown, under = ''): FormErrors => {
  const errors = isMembers(details) && Array.isArray(details['errors']) ? details['errors'] : [];
  return Object.fromEntries(
    errors.filter(isAnswerError).map(({ pointer, error }) => {
      const nth = form.fields.findIndex(
        ({ name }) => name !== '' && isAt(pointer, `${under}/${escapeToken(name)}`),
      );
      return [blockIdOf(Math.max(nth, 0)), error];
    }),
  );
};
