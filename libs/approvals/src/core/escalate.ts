/** Brings more people in where a question waits too long; nobody who may answer it is sent away. */
import type { Ruling } from '@triptych/access';
import { HUB, remember, type OpenTask } from './task.js';

interface Step {
  readonly at: number;
  readonly to: readonly string[];
}

const stepsLeft = ({ createdAt, escalated = 0, ruling }: OpenTask): readonly Step[] =>
  ruling.escalate
    .map(({ afterMs, to }) => ({ at: createdAt + afterMs, to }))
    .toSorted((a, b) => a.at - b.at)
    .slice(escalated);

/** undefined: no step is left. */
export const nextEscalation = (task: OpenTask): number | undefined => stepsLeft(task)[0]?.at;

const taken = (task: OpenTask, { to }: Step, now: number): OpenTask => ({
  ...task,
  escalated: (task.escalated ?? 0) + 1,
  widened: [...new Set([...(task.widened ?? []), ...to])],
  history: remember(task, { at: now, by: HUB, action: 'escalate', text: to.join(', ') }),
});

/** Whom the steps that were due by then bring in, and how many those are, whatever has been told of them. */
export const widenedBy = (
  { createdAt }: Pick<OpenTask, 'createdAt'>,
  ruling: Ruling,
  now: number,
): Pick<OpenTask, 'escalated' | 'widened'> => {
  const due = ruling.escalate.filter(({ afterMs }) => createdAt + afterMs <= now);
  return due.length === 0
    ? {}
    : { escalated: due.length, widened: [...new Set(due.flatMap(({ to }) => to))] };
};

/** Every step whose time has come. */
export const escalated = (task: OpenTask, now: number): OpenTask =>
  stepsLeft(task)
    .filter(({ at }) => at <= now)
    .reduce((widening, step) => taken(widening, step, now), task);
