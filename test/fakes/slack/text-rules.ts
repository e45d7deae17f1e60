/** The limits of text objects. */
import type { Members } from './answers.js';

/** A JSON pointer into what was sent. */
export type Where = string;

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

export interface TextRule {
  readonly where: Where;
  readonly most: number;
  readonly plain?: boolean;
}

/** Each kind of text has a word of its own for how it is shown. */
const kindFault = (text: Members, plain: boolean): string | undefined => {
  const { type, emoji, verbatim } = text;
  if (type === 'plain_text') return verbatim === undefined ? undefined : 'verbatim is for mrkdwn alone';
  if (plain || type !== 'mrkdwn') return `unsupported type: ${String(type)}`;
  return emoji === undefined ? undefined : 'emoji is for plain_text alone';
};

export const textFaults = (text: unknown, { where, most, plain = false }: TextRule): readonly string[] => {
  if (!isMembers(text)) return [`missing required field: text [${where}]`];
  const { text: said } = text;
  const kind = kindFault(text, plain);
  if (kind !== undefined) return [`${kind} [${where}]`];
  if (typeof said !== 'string' || said.length === 0)
    return [`must be more than 0 characters [${where}/text]`];
  return said.length > most ? [`must be less than ${most + 1} characters [${where}/text]`] : [];
};

/** An optional string member of at most so many characters. */
export const stringFaults = (
  members: Members,
  name: string,
  { where, most }: { readonly where: Where; readonly most: number },
): readonly string[] => {
  const value = members[name];
  if (value === undefined) return [];
  if (typeof value !== 'string') return [`must be a string [${where}/${name}]`];
  return value.length > most ? [`must be less than ${most + 1} characters [${where}/${name}]`] : [];
};
