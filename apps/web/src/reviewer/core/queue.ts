/** Keeps a list of tasks that does not move under its reader: new ones wait, changed ones change in place. */
import { OPEN_TASK_STATES, type TaskView } from '@triptych/protocol';
import type { Compare } from './desk-question.js';
import { SOON_MS } from './task-words.js';

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

/** How a list is laid out. */
export interface Lay {
  readonly compare: Compare;
  /** It holds what is over, not what is open. */
  readonly closed: boolean;
  /** What came before is no news: the hub has more that fits than is shown. Unix milliseconds. */
  readonly newAfter?: number | undefined;
}

/** The hub's clock and the reader's may be so far apart, ms. */
const CLOCKS_APART_MS = 60_000;

const belongs = (task: TaskView, { closed }: Lay): boolean => isOpen(task) !== closed;

/** When it came where the list would show it. */
const cameAt = ({ createdAt, decision }: TaskView, { closed }: Lay): number =>
  closed ? (decision?.at ?? createdAt) : createdAt;

/** WEB-6: what the inbox says now, without moving what is shown. */
export const queueStep = (queue: Queue, items: readonly TaskView[], lay: Lay): Queue => {
  const isNew = (task: TaskView): boolean =>
    belongs(task, lay) &&
    !shown.has(task.taskId) &&
    cameAt(task, lay) >= (lay.newAfter ?? 0) - CLOCKS_APART_MS;
  const now = new Map(items.map((task) => [task.taskId, task]));
  const shown = new Set(queue.order);
  const known = new Map([...queue.known, ...now]);
  return {
    order: queue.order,
    known,
    gone: new Set(queue.order.filter((id) => !now.has(id))),
    fresh: items.filter(isNew).map((task) => task.taskId),
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
export const laidOut = (queue: Queue, reading: ReadonlySet<string>, lay: Lay): Queue => {
  const stays = (id: string) => reading.has(id) || (!queue.gone.has(id) && belongs(taskIn(queue, id), lay));
  const ids = [...queue.order.filter(stays), ...queue.fresh];
  const order = ids.toSorted((a, b) => lay.compare(taskIn(queue, a), taskIn(queue, b)));
  const known = new Map(order.map((id) => [id, taskIn(queue, id)]));
  return { order, known, gone: new Set(order.filter((id) => queue.gone.has(id))), fresh: [] };
};

/** WEB-63: what was asked for anew, in the order of the hub; of what was there only what is in hand stays. */
export const answered = (
  queue: Queue,
  items: readonly TaskView[],
  { kept, lay }: { readonly kept: ReadonlySet<string>; readonly lay: Lay },
): Queue => {
  const order = queue.order.filter((id) => kept.has(id));
  const known = new Map(order.map((id) => [id, taskIn(queue, id)]));
  const whole = { ...lay, newAfter: undefined };
  return laidOut(queueStep({ order, known, gone: new Set(), fresh: [] }, items, whole), kept, whole);
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
  readonly lay: Lay;
}

/** WEB-6: new tasks take their place at once unless someone is at the list. */
export const deskStep = (desk: Desk, items: readonly TaskView[], look: Look): Desk => {
  const { now, reading, held, lay } = look;
  const queue = queueStep(desk.queue, items, lay);
  if (desk.laidOutAt === undefined) return { ...desk, queue: laidOut(queue, reading, lay), laidOutAt: now };
  const waiting = new Set(desk.queue.fresh);
  const arrived = desk.arrived + queue.fresh.filter((id) => !waiting.has(id)).length;
  if (held || queue.fresh.length === 0) return { ...desk, queue, arrived };
  return { queue: laidOut(queue, reading, lay), laidOutAt: now, arrived };
};

const taskIn = (queue: Queue, id: string): TaskView => queue.known.get(id) as TaskView;
/** A task that was read and is gone leaves when the reader moves on. */
export const movedOn = (queue: Queue, from: string | undefined): Queue => {
  if (from === undefined || !queue.gone.has(from)) return queue;
  const order = queue.order.filter((id) => id !== from);
  return { ...queue, order, gone: new Set([...queue.gone].filter((id) => id !== from)) };
};

/** First to last. */
export const tasksIn = (queue: Queue): readonly TaskView[] => queue.order.map((id) => taskIn(queue, id));

export type Section = 'over' | 'hour' | 'later' | 'none';

/** Sections as they were when the list was laid out: a deadline that passes does not move its task. */
export const sectionOf = (task: TaskView, laidOutAt: number): Section => {
  if (task.dueAt === undefined) return 'none';
  if (task.dueAt < laidOutAt) return 'over';
  return task.dueAt - laidOutAt <= SOON_MS ? 'hour' : 'later';
};
