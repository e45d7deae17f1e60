/** Says in words why a rule's condition holds. */
import type { RuleMatch } from '@triptych/protocol';
import type { Formats } from '../../shared/formats.js';

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

const said = (value: unknown, formats: Formats): string => {
  if (typeof value === 'number') return formats.number(value);
  if (Array.isArray(value)) return value.map((item) => said(item, formats)).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** `/amount`, `2,000,000 ≥ 1,500,000`. Signs read the same in every language. */
export const matchWords = (
  match: RuleMatch,
  formats: Formats,
): { readonly what: string; readonly is: string } => {
  const what = match.pointer.replace(/^\//, '').replaceAll('/', ' › ') || match.pointer;
  if (match.op === 'exists') return { what, is: match.want === false ? '∄' : '∃' };
  const got = said(match.got, formats);
  const want = said(match.want, formats);
  if (match.op === 'eq' || got === want) return { what, is: `= ${got}` };
  return { what, is: `${got} ${SIGNS[match.op] ?? match.op} ${want}` };
};
