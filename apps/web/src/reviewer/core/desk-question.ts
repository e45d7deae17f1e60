/** What the desk asks the hub for: a queue, filters, a text and an order, as the address holds them. */
import { moneyIn, type DecisionKind, type TaskState, type TaskView } from '@triptych/protocol';
import { currentArgs } from './current.js';
import { SOON_MS } from './task-words.js';

export const QUEUES = ['open', 'mine', 'hour', 'over'] as const;
export const CLOSED_QUEUES = ['decided', 'lapsed'] as const;
type ClosedQueue = (typeof CLOSED_QUEUES)[number];
/** One of the fixed queues, or `group:<name>`. */
export type QueueName = (typeof QUEUES)[number] | ClosedQueue | `group:${string}`;

export const SORTS = ['due', 'priority', 'created', 'amount'] as const;
export type DeskSort = (typeof SORTS)[number];
export const DUES = ['over', 'today', 'later'] as const;
export type DueFilter = (typeof DUES)[number];
/** Sums and priorities to choose from; others can stand in the address. */
export const SUMS = [1_000, 10_000, 100_000] as const;
export const PRIORITIES = [75, 90] as const;
/** Who holds it: the reader, nobody, or a person by their id. */
export const HELD_BY_ME = 'me';
export const HELD_BY_NOBODY = 'nobody';

export interface DeskFilters {
  readonly agent?: string | undefined;
  readonly tool?: string | undefined;
  readonly min?: number | undefined;
  readonly held?: string | undefined;
  readonly due?: DueFilter | undefined;
  readonly urgent?: number | undefined;
}
export const FILTERS = [
  'due',
  'min',
  'agent',
  'tool',
  'held',
  'urgent',
] as const satisfies readonly (keyof DeskFilters)[];

export interface DeskQuestion extends DeskFilters {
  readonly queue: QueueName;
  readonly sort: DeskSort;
  readonly text: string;
}

const MAX_TEXT = 200;

const oneOf = <T extends string>(names: readonly T[], name: string | null): T | undefined =>
  names.find((each) => each === name);

const queueNamed = (name: string | null): QueueName =>
  name?.startsWith('group:') ? (name as QueueName) : (oneOf([...QUEUES, ...CLOSED_QUEUES], name) ?? 'open');

const numberIn = (text: string | null): number | undefined =>
  text !== null && /^\d{1,12}(\.\d{1,2})?$/.test(text) ? Number(text) : undefined;

export const questionIn = (query: string): DeskQuestion => {
  const params = new URLSearchParams(query);
  const named = (name: string): string | undefined => params.get(name)?.slice(0, MAX_TEXT) || undefined;
  return {
    queue: queueNamed(params.get('queue')),
    sort: oneOf(SORTS, params.get('sort')) ?? 'due',
    text: named('q') ?? '',
    agent: named('agent'),
    tool: named('tool'),
    held: named('held'),
    due: oneOf(DUES, params.get('due')),
    min: numberIn(params.get('min')),
    urgent: numberIn(params.get('urgent')),
  };
};

export const isClosed = (queue: QueueName): queue is ClosedQueue =>
  (CLOSED_QUEUES as readonly string[]).includes(queue);

/** Those that mean something in a queue: what is over is neither held nor due. */
export const filtersFor = (queue: QueueName): readonly (keyof DeskFilters)[] => {
  if (isClosed(queue)) return ['min', 'agent', 'tool'];
  const own: Partial<Record<QueueName, keyof DeskFilters>> = { mine: 'held', hour: 'due', over: 'due' };
  return FILTERS.filter((name) => name !== own[queue]);
};

/** Sums are searched as they stand in the arguments: without currency, separators and empty cents. */
export const asSearched = (text: string): string => {
  const bare = text.trim().replace(/^[\p{Sc}\s]+|[\p{Sc}\s]+$/gu, '');
  const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?$/.test(bare) ? bare.replaceAll(',', '') : bare;
  return /^\d+(?:\.\d{1,2})?$/.test(grouped) ? String(Number(grouped)) : text.trim();
};

interface Reader {
  readonly me: string;
  /** Unix milliseconds. */
  readonly now: number;
}

const PAST: readonly TaskState[] = ['decided', 'dispatched', 'closed', 'expired', 'superseded'];
const KINDS: Readonly<Record<ClosedQueue, readonly DecisionKind[]>> = {
  decided: ['approved', 'rejected', 'responded'],
  lapsed: ['expired', 'cancelled'],
};

/** The end of this day where the reader is. */
export const dayEnd = (now: number): number => new Date(now).setHours(24, 0, 0, 0);

const dueBetween = (due: DueFilter, now: number): object => {
  if (due === 'over') return { dueBefore: now };
  return due === 'today' ? { dueAfter: now, dueBefore: dayEnd(now) } : { dueAfter: dayEnd(now) };
};

const ofQueue = (queue: QueueName, { me, now }: Reader): object => {
  if (isClosed(queue)) return { states: PAST, decisions: KINDS[queue] };
  if (queue.startsWith('group:')) return { group: queue.slice('group:'.length) };
  if (queue === 'mine') return { holder: me };
  if (queue === 'hour') return { dueAfter: now, dueBefore: now + SOON_MS };
  return queue === 'over' ? { dueBefore: now } : {};
};

const holderIn = (held: string, me: string): string => {
  if (held === HELD_BY_NOBODY) return '';
  return held === HELD_BY_ME ? me : held;
};

const ofFilters = (filters: DeskFilters, { me, now }: Reader): object => ({
  ...(filters.agent === undefined ? {} : { agent: filters.agent }),
  ...(filters.tool === undefined ? {} : { tool: filters.tool }),
  ...(filters.min === undefined ? {} : { minAmount: filters.min }),
  ...(filters.urgent === undefined ? {} : { minPriority: filters.urgent }),
  ...(filters.held === undefined ? {} : { holder: holderIn(filters.held, me) }),
  ...(filters.due === undefined ? {} : dueBetween(filters.due, now)),
});

/** WEB-62: what the hub is asked for. */
export const filterOf = (question: DeskQuestion, reader: Reader): Readonly<Record<string, unknown>> => {
  const { queue, sort, text } = question;
  const names = filtersFor(queue).filter((name) => question[name] !== undefined);
  const filters: DeskFilters = Object.fromEntries(names.map((name) => [name, question[name]]));
  return {
    ...ofFilters(filters, reader),
    ...ofQueue(queue, reader),
    ...(text === '' ? {} : { q: asSearched(text) }),
    sort: isClosed(queue) ? 'ended' : sort,
  };
};

export type Compare = (a: TaskView, b: TaskView) => number;

const LAST = Number.MAX_SAFE_INTEGER;
const sumOf = (task: TaskView): number => moneyIn(currentArgs(task))?.value ?? -LAST;
const endOf = ({ decision }: TaskView): number => decision?.at ?? LAST;

/** Where a task that comes later takes its place; between equals the hub's own order stands. */
const ORDERS: Readonly<Record<DeskSort, Compare>> = {
  due: (a, b) => (a.dueAt ?? LAST) - (b.dueAt ?? LAST) || a.createdAt - b.createdAt,
  priority: (a, b) => b.priority - a.priority,
  created: (a, b) => b.createdAt - a.createdAt,
  amount: (a, b) => sumOf(b) - sumOf(a) || a.createdAt - b.createdAt,
};

export const compareFor = ({ queue, sort }: DeskQuestion): Compare =>
  isClosed(queue) ? (a, b) => endOf(b) - endOf(a) : ORDERS[sort];
