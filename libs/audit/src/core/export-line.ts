/** Writes records for readers elsewhere: lines that can be verified, and rows for a spreadsheet. */
import type { Link } from './chain.js';
import type { OpenedRecord } from './opened-record.js';
import type { Hole } from './hole.js';

const PERSONAL = ['before', 'after', 'ip', 'ua'] as const;
const LOST = ['erased', 'damaged'] as const;

const personalOf = (record: OpenedRecord): string => {
  const parts = PERSONAL.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]);
  const lost = LOST.filter((name) => record[name]).map((name) => [name, true]);
  const opened = Object.fromEntries([...parts, ...lost]) as object;
  return JSON.stringify(opened);
};

/** The record stands in it as it was sealed, byte for byte, with its length before it; what its boxes hold stands beside it. */
export const exportLine = ({ text, hash }: Link, record: OpenedRecord): string =>
  `{"hash":"${hash}","length":${text.length},"record":${text},"opened":${personalOf(record)}}`;

/** What is found instead of a record, for whoever verifies the export as for whoever verifies the store. */
export const holeLine = ({ seq }: Hole, { text, hash }: Link): string =>
  JSON.stringify({ hole: seq, hash, text });

const HOLE = '{"hole":';

const holeIn = (line: string): Found | undefined => {
  try {
    const { text, hash } = JSON.parse(line) as Partial<Found>;
    return typeof text === 'string' && typeof hash === 'string' ? { text, hash } : undefined;
  } catch {
    // Whoever took it home has changed it.
    return undefined;
  }
};

const LINE = /^\{"hash":"([\da-f]{64})","length":(\d{1,9}),"record":/u;

interface Found {
  readonly text: string;
  readonly hash: string;
}

/** undefined: this is no line of an export. */
export const exportedIn = (line: string): Found | undefined => {
  if (line.startsWith(HOLE)) return holeIn(line);
  const [head = '', hash = '', length] = LINE.exec(line) ?? [];
  const text = line.slice(head.length, head.length + Number(length));
  return hash !== '' && line.startsWith(',"opened":{', head.length + text.length)
    ? { text, hash }
    : undefined;
};

export const CSV_COLUMNS = [
  ...['seq', 'at', 'tenant', 'actor', 'role', 'via', 'action', 'thread', 'run', 'batch', 'task', 'interrupt'],
  ...['toolCall', 'policyId', 'proposalHash', 'payloadHash', 'requestId', 'ip', 'ua', 'before', 'after'],
  ...['erased', 'hash', 'damaged'],
];

/** A spreadsheet takes text that begins so for a formula. */
const FORMULA = /^[=+\-@\t\r\n]/u;

const cell = (value: unknown): string => {
  if (value === undefined) return '';
  if (typeof value === 'number' || value === true) return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
};

const rowOf = (flat: Readonly<Record<string, unknown>>): string =>
  CSV_COLUMNS.map((name) => cell(flat[name])).join(',');

/** RFC 4180; without a line end. */
export const csvRow = ({ hash }: Link, record: OpenedRecord): string => {
  const { actor, subject, ...rest } = record;
  const flat: Readonly<Record<string, unknown>> = {
    ...rest,
    ...subject,
    ...{ actor: actor.id, role: actor.role, via: actor.via, hash },
  };
  return rowOf(flat);
};

/** Where a record should be and is none; `action` says so. */
export const holeRow = ({ seq, at }: Hole, { hash }: Link): string =>
  rowOf({ seq, action: 'hole', hash, ...(at === undefined ? {} : { at }) });

export const csvHead = CSV_COLUMNS.join(',');
