/** Reads which tasks a reader of the inbox wants to see. */
import { INBOX_SORTS, type InboxQuery } from '@triptych/approvals';
import { DECISION_KINDS, ok, refuse, TASK_STATES, type Result } from '@triptych/protocol';

/** All of a question but its page. */
export type AskedInbox = Omit<InboxQuery, 'cursor' | 'limit'>;

const MAX_TEXT = 256;

/** undefined: this is no value of that kind. */
type Read = (raw: unknown) => unknown;

const text: Read = (raw) => (typeof raw === 'string' && raw.length <= MAX_TEXT ? raw : undefined);

/** In an address a number is text. */
const number: Read = (raw) => {
  const value = typeof raw === 'string' && /^-?\d{1,15}(\.\d{1,6})?$/u.test(raw) ? Number(raw) : raw;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
};

const oneOf =
  (words: readonly unknown[]): Read =>
  (raw) =>
    words.includes(raw) ? raw : undefined;

/** In an address a list is text with commas. */
const listOf =
  (words: readonly string[]): Read =>
  (raw) => {
    const names: readonly unknown[] =
      typeof raw === 'string' ? raw.split(',') : Array.isArray(raw) ? raw : [raw];
    return names.length > 0 && names.every((name) => (words as readonly unknown[]).includes(name))
      ? names
      : undefined;
  };

const states = listOf(TASK_STATES);
const decisions = listOf(DECISION_KINDS);

/** By the name in what was sent: the member it stands for, and how it is read. */
const MEMBERS: readonly (readonly [sent: string, member: keyof AskedInbox, read: Read])[] = [
  ...(['group', 'assignee', 'reason', 'tool', 'agent', 'threadId', 'holder', 'q'] as const).map(
    (name) => [name, name, text] as const,
  ),
  ['state', 'states', states],
  ['states', 'states', states],
  ['decision', 'decisions', decisions],
  ['decisions', 'decisions', decisions],
  ...(['dueAfter', 'dueBefore', 'minAmount', 'maxAmount', 'minPriority', 'endedAfter'] as const).map(
    (name) => [name, name, number] as const,
  ),
  ['sort', 'sort', oneOf(INBOX_SORTS)],
];

type Given = Readonly<Record<string, unknown>>;

/** Of two names for one thing the first that is given counts. */
const givenIn = (given: Given) =>
  MEMBERS.filter(([sent, member], at) => {
    if (given[sent] === undefined) return false;
    return !MEMBERS.slice(0, at).some(([other, same]) => same === member && given[other] !== undefined);
  });

/** `at`: where the filter stands in what was sent. */
export const readInboxFilter = (raw: unknown, at = ''): Result<AskedInbox> => {
  const given = (raw ?? {}) as Given;
  if (typeof given !== 'object' || Array.isArray(given))
    return refuse('INVALID_INPUT', { details: { pointer: at } });
  const asked: Record<string, unknown> = {};
  for (const [sent, member, read] of givenIn(given)) {
    asked[member] = read(given[sent]);
    if (asked[member] === undefined)
      return refuse('INVALID_INPUT', { details: { pointer: `${at}/${sent}` } });
  }
  return ok(asked);
};
