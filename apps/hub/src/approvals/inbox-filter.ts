/** Reads which tasks a reader of the inbox wants to see. */
import { INBOX_SORTS, type InboxQuery, type InboxSort } from '@triptych/approvals';
import { ok, refuse, TASK_STATES, type Result, type TaskState } from '@triptych/protocol';

/** All of a question but its page. */
export type AskedInbox = Omit<InboxQuery, 'cursor' | 'limit'>;

const TEXTS = ['group', 'assignee', 'reason', 'tool', 'threadId', 'q'] as const;
const MAX_TEXT = 256;

const isTaskState = (value: string): value is TaskState => (TASK_STATES as readonly string[]).includes(value);

const statesOf = (raw: unknown, pointer: string): Result<readonly TaskState[] | undefined> => {
  if (raw === undefined) return ok(undefined);
  const names: readonly unknown[] =
    typeof raw === 'string' ? raw.split(',') : Array.isArray(raw) ? raw : [raw];
  const states = names.filter((name): name is TaskState => typeof name === 'string' && isTaskState(name));
  return states.length === names.length && states.length > 0
    ? ok(states)
    : refuse('INVALID_INPUT', { details: { pointer } });
};

const sortOf = (raw: unknown, pointer: string): Result<InboxSort | undefined> =>
  raw === undefined || (INBOX_SORTS as readonly unknown[]).includes(raw)
    ? ok(raw as InboxSort | undefined)
    : refuse('INVALID_INPUT', { details: { pointer } });

type Given = Readonly<Record<string, unknown>>;

const textsOf = (given: Given, at: string): Result<Pick<AskedInbox, (typeof TEXTS)[number]>> => {
  const names = TEXTS.filter((name) => given[name] !== undefined);
  const bad = names.find((name) => !isShortText(given[name]));
  if (bad !== undefined) return refuse('INVALID_INPUT', { details: { pointer: `${at}/${bad}` } });
  return ok(Object.fromEntries(names.map((name) => [name, given[name]])));
};

/** `at`: where the filter stands in what was sent. */
export const readInboxFilter = (raw: unknown, at = ''): Result<AskedInbox> => {
  const given = (raw ?? {}) as Given;
  if (typeof given !== 'object' || Array.isArray(given))
    return refuse('INVALID_INPUT', { details: { pointer: at } });
  const texts = textsOf(given, at);
  if (!texts.ok) return texts;
  const name = (given.state ?? null) === null ? 'states' : 'state';
  const states = statesOf(given[name], `${at}/${name}`);
  if (!states.ok) return states;
  const sort = sortOf(given.sort, `${at}/sort`);
  if (!sort.ok) return sort;
  return ok({
    ...texts.value,
    ...(states.value && { states: states.value }),
    ...(sort.value && { sort: sort.value }),
  });
};

const isShortText = (value: unknown): boolean => typeof value === 'string' && value.length <= MAX_TEXT;
