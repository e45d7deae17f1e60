/** The limits of interactive elements: buttons, inputs and choices. */
import type { Members } from './answers.js';
import { isList, isMembers, stringFaults, textFaults, type Where } from './text-rules.js';

type ElementRule = (element: Members, where: Where) => readonly string[];

const confirmFaults = (confirm: unknown, where: Where): readonly string[] => {
  if (!isMembers(confirm)) return [`must be an object [${where}]`];
  const { title, text, confirm: yes, deny } = confirm;
  return [
    ...textFaults(title, { where: `${where}/title`, most: 100, plain: true }),
    ...textFaults(text, { where: `${where}/text`, most: 300 }),
    ...textFaults(yes, { where: `${where}/confirm`, most: 30, plain: true }),
    ...textFaults(deny, { where: `${where}/deny`, most: 30, plain: true }),
  ];
};

const button: ElementRule = (element, where) => {
  const { text, confirm, style } = element;
  return [
    ...textFaults(text, { where: `${where}/text`, most: 75, plain: true }),
    ...stringFaults(element, 'value', { where, most: 2_000 }),
    ...stringFaults(element, 'url', { where, most: 3_000 }),
    ...(style === undefined || style === 'primary' || style === 'danger'
      ? []
      : [`invalid style [${where}/style]`]),
    ...(confirm === undefined ? [] : confirmFaults(confirm, `${where}/confirm`)),
  ];
};

const optionFaults = (option: unknown, where: Where): readonly string[] =>
  isMembers(option)
    ? [
        ...textFaults(option['text'], { where: `${where}/text`, most: 75 }),
        ...(typeof option['value'] === 'string' ? [] : [`missing required field: value [${where}]`]),
        ...stringFaults(option, 'value', { where, most: 150 }),
      ]
    : [`must be an object [${where}]`];

/** What is chosen at first must be one of what can be chosen, word for word. */
const initialFaults = (options: readonly unknown[], chosen: unknown, where: Where): readonly string[] => {
  if (chosen === undefined) return [];
  const known = new Set(options.map((option) => JSON.stringify(option)));
  const all = isList(chosen) ? chosen : [chosen];
  return all.length > 0 && all.every((each) => known.has(JSON.stringify(each)))
    ? []
    : [`initial option not found in options [${where}]`];
};

const choice =
  (most: number, initial: string): ElementRule =>
  (element, where) => {
    const { options } = element;
    if (!isList(options) || options.length === 0) return [`no options [${where}/options]`];
    return [
      ...(options.length > most ? [`no more than ${most} items allowed [${where}/options]`] : []),
      ...options.flatMap((option, at) => optionFaults(option, `${where}/options/${at}`)),
      ...initialFaults(options, element[initial], `${where}/${initial}`),
    ];
  };

const plainInput: ElementRule = (element, where) => {
  const { min_length: least, max_length: most, placeholder } = element;
  const bad = (value: unknown, from: number): boolean =>
    value !== undefined && (typeof value !== 'number' || value < from || value > 3_000);
  return [
    ...(bad(least, 0) ? [`out of range [${where}/min_length]`] : []),
    ...(bad(most, 1) ? [`out of range [${where}/max_length]`] : []),
    ...stringFaults(element, 'initial_value', { where, most: typeof most === 'number' ? most : 3_000 }),
    ...(placeholder === undefined ? [] : textFaults(placeholder, { where, most: 150, plain: true })),
  ];
};

const isText = (value: unknown, form: RegExp): boolean => typeof value === 'string' && form.test(value);

const numberInput: ElementRule = (element, where) => [
  ...(typeof element['is_decimal_allowed'] === 'boolean'
    ? []
    : [`missing required field: is_decimal_allowed [${where}]`]),
  ...['initial_value', 'min_value', 'max_value'].flatMap((name) =>
    element[name] === undefined || isText(element[name], /^-?\d+(?:\.\d+)?$/u)
      ? stringFaults(element, name, { where, most: 150 })
      : [`must be a number as text [${where}/${name}]`],
  ),
];

const datePicker: ElementRule = ({ initial_date: date }, where) =>
  date === undefined || isText(date, /^\d{4}-\d{2}-\d{2}$/u)
    ? []
    : [`must be YYYY-MM-DD [${where}/initial_date]`];

const RULES: Readonly<Record<string, ElementRule>> = {
  button,
  plain_text_input: plainInput,
  number_input: numberInput,
  datepicker: datePicker,
  static_select: choice(100, 'initial_option'),
  multi_static_select: choice(100, 'initial_options'),
  radio_buttons: choice(10, 'initial_option'),
  checkboxes: choice(10, 'initial_options'),
};

export const elementFaults = (element: unknown, where: Where): readonly string[] => {
  if (!isMembers(element)) return [`must be an object [${where}]`];
  const rule = RULES[String(element['type'])];
  if (!rule) return [`unsupported type: ${String(element['type'])} [${where}/type]`];
  return [...stringFaults(element, 'action_id', { where, most: 255 }), ...rule(element, where)];
};
