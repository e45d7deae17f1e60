/** Says under which cards the run is told that carries a batch's answers: one a destination, where a route asks for it. */
import type { Bridges } from '../../core/bridges.js';
import type { Destination } from '../../core/destination.js';
import { KINDS, type Kinds } from '../../core/kinds.js';
import type { NoticedBatch, NoticedTask } from '../../core/notice-task.js';
import type { PostingName } from '../../core/posting-store.js';
import { reachable } from '../../core/route.js';

export const tellsProgress = ({ routes }: Pick<Bridges, 'routes'>): boolean =>
  routes.some(({ progress }) => progress);

const tellsRuns = (destination: Destination): boolean =>
  (KINDS as Kinds)[destination.kind]?.tellsRuns?.(destination as never) === true;

const toldAt = (bridges: Pick<Bridges, 'routes' | 'destinations'>, task: NoticedTask): readonly string[] =>
  reachable(bridges, task).flatMap(([{ progress }, to]) =>
    progress ? to.filter(tellsRuns).map(({ id }) => id) : [],
  );

/** Of several cards of a batch at one destination the first has it. */
export const progressPlaces = (
  bridges: Pick<Bridges, 'routes' | 'destinations'>,
  { tasks }: NoticedBatch,
): readonly PostingName[] => {
  const places = new Map<string, PostingName>();
  for (const task of tasks)
    for (const id of toldAt(bridges, task))
      if (!places.has(id)) places.set(id, { taskId: task.view.taskId, destination: id });
  return [...places.values()];
};
