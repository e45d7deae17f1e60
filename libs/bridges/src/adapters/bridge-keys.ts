/** Names the Redis keys of what is shown where. */
import { taggedKey } from '@triptych/platform';

/** The hash tag with which a task's id begins is that of its thread. */
const tagOf = (taskId: string): string => taskId.slice(0, taskId.indexOf('.'));

/** Hash, in the slot of the thread: `<task>/<destination>` → posting. */
export const cardsKey = (taskId: string): string => taggedKey(tagOf(taskId), 'cards');
/** The same, by the name of the thread's tag. */
export const CARDS_PART = 'cards';
export const cardField = (taskId: string, destination: string): string =>
  `${taskId.slice(taskId.indexOf('.') + 1)}/${destination}`;

/** One slot a destination. */
export const laneKeys = (destination: string) => ({
  /** Sorted set: task id by when it is to be shown (ms). */
  lane: `tt:lane:{${destination}}`,
  /** Text: who works it through. */
  lead: `tt:lane:{${destination}}:lead`,
  /** There while the destination wants to be left alone. */
  hold: `tt:lane:{${destination}}:hold`,
});

/** Hash: destination → why and since when something was refused there. */
export const ILL = 'tt:lanes:ill';

export const letterKeys = (tenant: string) => {
  const tag = `{${encodeURIComponent(tenant)}}`;
  return {
    /** Sorted set: letter id by when it was given up (ms). */
    order: `tt:letters:${tag}`,
    /** Hash: letter id → letter. */
    texts: `tt:letters:${tag}:texts`,
  };
};
