/** Writes records for readers elsewhere: lines that can be verified, and rows for a spreadsheet. */
import type { Link } from './chain.js';
import type { OpenedRecord } from './opened-record.js';

const PERSONAL = ['before', 'after', 'ip', 'ua'] as const;

const personalOf = (record: OpenedRecord): string => {
  const parts = PERSONAL.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]);
  const opened = { ...Object.fromEntries(parts), ...(record.erased ? { erased: true } : {}) };
  return JSON.stringify(opened);
};

/** The record stands in it as it was sealed, byte for byte, with its length before it; what its boxes hold stands beside it. */
export const exportLine = ({ text, hash }: Link, record: OpenedRecord): string =>
  `{"hash":"${hash}","length":${text.length},"record":${text},"opened":${personalOf(record)}}`;

const LINE = /^\{"hash":"([\da-f]{64})","length":(\d{1,9}),"record":/u;

/** undefined: this is no line of an export. */
export const exportedIn = (line: string): { readonly text: string; readonly hash: string } | undefined => {
  const [head = '', hash = '', length] = LINE.exec(line) ?? [];
  const text = line.slice(head.length, head.length + Number(length));
  return hash !== '' && line.startsWith(',"opened":{', head.length + text.length)
    ? { text, hash }
    : undefined;
};

export const CSV_COLUMNS = [
  ...['seq', 'at', 'tenant', 'actor', 'role', 'via', 'action', 'thread', 'run', 'batch', 'task', 'interrupt'],
  ...['toolCall', 'policyId', 'proposalHash', 'payloadHash', 'requestId', 'ip', 'ua', 'before', 'after'],
  ...['erased', 'hash'],
];

/** A spreadsheet takes text that begins so for a formula. */
const FORMULA = /^[=+\-@\t\r\n]/u;

const cell = (value: unknown): string => {
  if (value === undefined) return '';
  if (typeof value === 'number' || value === true) return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
};

/** RFC 4180; without a line end. */
export const csvRow = ({ hash }: Link, record: OpenedRecord): string => {
  const { actor, subject, ...rest } = record;
  const flat: Readonly<Record<string, unknown>> = {
    ...rest,
    ...subject,
    ...{ actor: actor.id, role: actor.role, via: actor.via, hash },
  };
  return CSV_COLUMNS.map((name) => cell(flat[name])).join(',');
};

export const csvHead = CSV_COLUMNS.join(',');
