/** Leaves out what nobody who joins later is shown and no view remembers. */
import type { AguiEvent } from '../agui.js';
import { known } from '../event-types.js';
import { startOfLastRun, type ToldEntry } from './told-entry.js';

/** Over with its run: the next one begins without them. */
const ENDS_WITH_RUN: ReadonlySet<string> = new Set([
  'RUN_ERROR',
  'SUBAGENT_STARTED',
  'SUBAGENT_FINISHED',
  'SUBAGENT_ERROR',
  'REASONING_END',
]);
/** Of these a note may stay on the message. */
const CLOSERS: ReadonlySet<string> = new Set(['TEXT_MESSAGE_END', 'REASONING_MESSAGE_END']);
/** These outlive their run while a question of its chain is open. */
const END_WITH_CHAIN: ReadonlySet<string> = new Set(['STEP_STARTED', 'STEP_FINISHED', 'RUN_FINISHED']);

/** It answers every question before it, and the chain of runs is over. */
const endsChain = ({ type, outcome }: AguiEvent): boolean =>
  type === 'RUN_FINISHED' && (outcome as { type?: unknown } | undefined)?.type !== 'interrupt';

/** Nothing in a model or a view comes of it, and an operator is shown something later. */
const isPassing = (event: AguiEvent): boolean => event.type === 'RAW' || known(event) === undefined;

export const dropPassing = (entries: readonly ToldEntry[]): readonly ToldEntry[] => {
  const past = startOfLastRun(entries);
  const chain = entries.findLastIndex(({ event }, index) => index < past && endsChain(event));
  return entries.filter(({ event }, index) => {
    if (isPassing(event)) return index === entries.length - 1;
    if (index >= past) return true;
    if (CLOSERS.has(event.type)) return event.metadata !== undefined;
    return !ENDS_WITH_RUN.has(event.type) && !(index < chain && END_WITH_CHAIN.has(event.type));
  });
};
