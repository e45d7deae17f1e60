/** Reads which tasks a reader of the inbox wants to see. */
import type { InboxQuery } from '@triptych/approvals';
import { ok, refuse, TASK_STATES, type Result, type TaskState } from '@triptych/protocol';

export type InboxFilter = Pick<
  InboxQuery,
  'states' | 'group' | 'assignee' | 'reason' | 'tool' | 'threadId' | 'q'
>;

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

/** `at`: where the filter stands in what was sent. */
export const readInboxFilter = (raw: unknown, at = ''): Result<InboxFilter> => {
  const given = (raw ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof given !== 'object' || Array.isArray(given))
    return refuse('INVALID_INPUT', { details: { pointer: at } });
  const bad = TEXTS.find((name) => given[name] !== undefined && !isShortText(given[name]));
  if (bad !== undefined) return refuse('INVALID_INPUT', { details: { pointer: `${at}/${bad}` } });
  const name = (given.state ?? null) === null ? 'states' : 'state';
  const states = statesOf(given[name], `${at}/${name}`);
  if (!states.ok) return states;
  const texts = Object.fromEntries(
    TEXTS.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]),
  );
  return ok({ ...texts, ...(states.value ? { states: states.value } : {}) });
};

const isShortText = (value: unknown): boolean => typeof value === 'string' && value.length <= MAX_TEXT;
