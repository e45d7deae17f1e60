/** Says in words why a rule's condition holds. */
import type { RuleMatch, TaskView } from '@triptych/protocol';
import type { Formats } from '../../shared/formats.js';
import { currentArgs, rowsOf } from './current.js';
import type { ValueRow } from './values.js';

const SIGNS: Readonly<Record<string, string>> = {
  eq: '=',
  ne: '≠',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  in: '∈',
  exists: '∃',
  glob: '=',
};

type Asked = Pick<TaskView, 'edit' | 'proposal' | 'responseSchema'>;

/** `/trip/total` as the rows of a proposal name it: `trip.total`. */
const keyOf = (pointer: string): string => pointer.replace(/^\//, '').replaceAll('/', '.');

/** What the condition is about, as it is now and as it was asked. */
const rowsAt = (task: Asked, pointer: string): readonly ValueRow[] =>
  [currentArgs(task), task.proposal.args].flatMap(
    (args) => rowsOf(task, args)?.filter(({ key }) => key === keyOf(pointer)) ?? [],
  );

/** Only the money that was weighed lends its currency. */
const currencyOf = (rows: readonly ValueRow[], got: unknown): string | undefined => {
  const weighed = rows.find(({ value }) => value.kind === 'money' && value.value === got)?.value;
  return weighed?.kind === 'money' ? weighed.currency : undefined;
};

const said = (value: unknown, currency: string | undefined, formats: Formats): string => {
  if (typeof value === 'number')
    return currency === undefined ? formats.number(value) : formats.money(value, currency);
  if (Array.isArray(value)) return value.map((item) => said(item, currency, formats)).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** `First payment`, `€2,000,000 ≥ €1,500,000`. Signs read the same in every language. */
export const matchWords = (
  match: RuleMatch,
  task: Asked,
  formats: Formats,
): { readonly what: string; readonly is: string } => {
  const rows = rowsAt(task, match.pointer);
  const what = rows[0]?.label ?? (keyOf(match.pointer).replaceAll('.', ' › ') || match.pointer);
  if (match.op === 'exists') return { what, is: match.want === false ? '∄' : '∃' };
  const currency = currencyOf(rows, match.got);
  const [got, want] = [match.got, match.want].map((value) => said(value, currency, formats)) as [
    string,
    string,
  ];
  if (match.op === 'eq' || got === want) return { what, is: `= ${got}` };
  return { what, is: `${got} ${SIGNS[match.op] ?? match.op} ${want}` };
};
