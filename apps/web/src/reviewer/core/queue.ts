/** Keeps a list of tasks that does not move under its reader: new ones wait, changed ones change in place. */
import { OPEN_TASK_STATES, type TaskView } from '@triptych/protocol';
import { headlineOf } from '../../shared/headline.js';
import { dueOf, SOON_MS } from './task-words.js';

export const QUEUES = ['open', 'mine', 'hour', 'over'] as const;
/** One of the fixed queues, or `group:<name>`. */
export type QueueName = (typeof QUEUES)[number] | `group:${string}`;

export const queueNamed = (name: string | undefined): QueueName =>
  name !== undefined && (name.startsWith('group:') || (QUEUES as readonly string[]).includes(name))
    ? (name as QueueName)
    : 'open';

export interface Queue {
  /** Task ids in the order they were laid out. */
  readonly order: readonly string[];
  /** What was last known of each, also of those that have left. */
  readonly known: ReadonlyMap<string, TaskView>;
  /** Left the inbox, still shown where they were. */
  readonly gone: ReadonlySet<string>;
  /** Arrived after the list was laid out. */
  readonly fresh: readonly string[];
}

export const EMPTY_QUEUE: Queue = { order: [], known: new Map(), gone: new Set(), fresh: [] };

const isOpen = (task: TaskView): boolean => OPEN_TASK_STATES.includes(task.state);

/** Due first; those without a deadline by age. */
export const byDue = (a: TaskView, b: TaskView): number =>
  (a.dueAt ?? Number.MAX_SAFE_INTEGER) - (b.dueAt ?? Number.MAX_SAFE_INTEGER) || a.createdAt - b.createdAt;

/** WEB-6: what the inbox says now, without moving what is shown. */
export const queueStep = (queue: Queue, items: readonly TaskView[]): Queue => {
  const now = new Map(items.map((task) => [task.taskId, task]));
  const shown = new Set(queue.order);
  const known = new Map([...queue.known, ...now]);
  return {
    order: queue.order,
    known,
    gone: new Set(queue.order.filter((id) => !now.has(id))),
    fresh: items.filter((task) => !shown.has(task.taskId) && isOpen(task)).map((task) => task.taskId),
  };
};

export interface Reader {
  /** Rows shown. */
  readonly rows: number;
  readonly focused: boolean;
  readonly pointed: boolean;
  /** From the top, in px. */
  readonly scrolled: number;
  /** One of the tasks is open. */
  readonly selected: boolean;
  /** Several are being picked. */
  readonly picking: boolean;
}

/** WEB-6: an empty list and one nobody is at have no reader to be disturbed. */
export const isRead = ({ rows, focused, pointed, scrolled, selected, picking }: Reader): boolean =>
  rows > 0 && (focused || pointed || scrolled > 0 || selected || picking);

/** Lays the list out anew: an act of the reader. What left and is not being read goes. */
export const laidOut = (queue: Queue, reading: ReadonlySet<string>): Queue => {
  const stays = (id: string) => reading.has(id) || (!queue.gone.has(id) && isOpenIn(queue, id));
  const ids = [...queue.order.filter(stays), ...queue.fresh];
  const order = ids.toSorted((a, b) => byDue(taskIn(queue, a), taskIn(queue, b)));
  const known = new Map(order.map((id) => [id, taskIn(queue, id)]));
  return { order, known, gone: new Set(order.filter((id) => queue.gone.has(id))), fresh: [] };
};

export interface Desk {
  readonly queue: Queue;
  /** Unix milliseconds; undefined before the first look. */
  readonly laidOutAt: number | undefined;
  /** All that came since the first look, shown or waiting. */
  readonly arrived: number;
}

export const EMPTY_DESK: Desk = { queue: EMPTY_QUEUE, laidOutAt: undefined, arrived: 0 };

interface Look {
  readonly now: number;
  /** The open one, and those picked. */
  readonly reading: ReadonlySet<string>;
  /** Someone is at the list. */
  readonly held: boolean;
}

/** WEB-6: new tasks take their place at once unless someone is at the list. */
export const deskStep = (desk: Desk, items: readonly TaskView[], { now, reading, held }: Look): Desk => {
  const queue = queueStep(desk.queue, items);
  if (desk.laidOutAt === undefined) return { ...desk, queue: laidOut(queue, reading), laidOutAt: now };
  const waiting = new Set(desk.queue.fresh);
  const arrived = desk.arrived + queue.fresh.filter((id) => !waiting.has(id)).length;
  if (held || queue.fresh.length === 0) return { ...desk, queue, arrived };
  return { queue: laidOut(queue, reading), laidOutAt: now, arrived };
};

const taskIn = (queue: Queue, id: string): TaskView => queue.known.get(id) as TaskView;
const isOpenIn = (queue: Queue, id: string): boolean => {
  const task = queue.known.get(id);
  return task !== undefined && isOpen(task);
};

/** A task that was read and is gone leaves when the reader moves on. */
export const movedOn = (queue: Queue, from: string | undefined): Queue => {
  if (from === undefined || !queue.gone.has(from)) return queue;
  const order = queue.order.filter((id) => id !== from);
  return { ...queue, order, gone: new Set([...queue.gone].filter((id) => id !== from)) };
};

interface Filter {
  readonly queue: QueueName;
  readonly text: string;
  readonly me: string;
  readonly now: number;
}

const inQueue = (task: TaskView, { queue, me, now }: Filter): boolean => {
  if (queue.startsWith('group:')) return task.groups.includes(queue.slice('group:'.length));
  if (queue === 'mine') return task.claim?.by === me;
  const due = dueOf(task, now);
  if (queue === 'hour') return due.kind === 'soon';
  return queue === 'over' ? due.kind === 'over' : true;
};

const searched = (task: TaskView, text: string): boolean => {
  if (text.trim() === '') return true;
  const hay = [
    headlineOf(task),
    task.requester,
    task.agentId,
    task.reason,
    JSON.stringify(task.proposal.args ?? ''),
  ];
  return hay.join(' ').toLowerCase().includes(text.trim().toLowerCase());
};

export const filtered = (queue: Queue, filter: Filter): readonly TaskView[] =>
  queue.order
    .map((id) => taskIn(queue, id))
    .filter((task) => inQueue(task, filter) && searched(task, filter.text));

export type Section = 'over' | 'hour' | 'later' | 'none';

/** Sections as they were when the list was laid out: a deadline that passes does not move its task. */
export const sectionOf = (task: TaskView, laidOutAt: number): Section => {
  if (task.dueAt === undefined) return 'none';
  if (task.dueAt < laidOutAt) return 'over';
  return task.dueAt - laidOutAt <= SOON_MS ? 'hour' : 'later';
};

export const countIn = (queue: Queue, name: QueueName, who: { me: string; now: number }): number =>
  [...queue.known.values()].filter(
    (task) =>
      isOpen(task) && !queue.gone.has(task.taskId) && inQueue(task, { queue: name, text: '', ...who }),
  ).length;

export const groupsIn = (queue: Queue): readonly string[] =>
  [...new Set([...queue.known.values()].flatMap((task) => task.groups))].toSorted();
