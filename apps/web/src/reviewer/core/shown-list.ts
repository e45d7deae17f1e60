/** What the desk shows of what it asked for: answered, then kept current. */
import type { TaskCounts, TaskView } from '@triptych/protocol';
import { answered, deskStep, EMPTY_DESK, laidOut, type Desk, type Lay } from './queue.js';

export interface Shown extends Desk {
  /** The question it answers. */
  readonly key: string;
  /** All that fitted when it was answered. */
  readonly total: number | undefined;
  readonly partial: boolean;
  readonly counts: TaskCounts;
}

export const NOTHING_SHOWN: Shown = {
  ...EMPTY_DESK,
  key: '',
  total: undefined,
  partial: false,
  counts: {},
};

/** What the inbox says. */
export interface Told {
  readonly items: readonly TaskView[];
  readonly counts: TaskCounts;
  readonly total?: number;
  readonly nextCursor?: string;
}

export interface Asked {
  readonly key: string;
  readonly lay: Lay;
  readonly now: number;
  /** The open one and those picked; and these alone. */
  readonly reading: ReadonlySet<string>;
  readonly picked: ReadonlySet<string>;
  readonly held: boolean;
}

const factsOf = ({ counts, total, nextCursor }: Told, key: string) => ({
  ...{ key, counts, total },
  partial: nextCursor !== undefined,
});

/** What is read stays where the same is asked anew; what is picked stays in any case. */
export const shownAnswer = (old: Shown, told: Told, asked: Asked): Shown => {
  const { key, lay, now, reading, picked } = asked;
  const facts = factsOf(told, key);
  const kept = old.key === key ? reading : picked;
  const queue = answered(old.queue, told.items, { kept, lay });
  return { queue, laidOutAt: now, arrived: old.arrived, ...facts };
};

export const shownNews = (old: Shown, told: Told, asked: Asked): Shown => {
  const facts = factsOf(told, asked.key);
  const newAfter = facts.partial ? old.laidOutAt : undefined;
  const look = { ...asked, lay: { ...asked.lay, newAfter } };
  return { ...deskStep(old, told.items, look), ...facts };
};

/** Laid out anew by its reader, without asking. */
export const shownAnew = (old: Shown, { lay, now, reading }: Asked): Shown => ({
  ...old,
  queue: laidOut(old.queue, reading, lay),
  laidOutAt: now,
});
