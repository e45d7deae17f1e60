/** Writes the join prelude: the legal stream that brings an empty model to where this one stands. */
import type { AguiEvent } from '../agui.js';
import { customAgain } from './kept-custom.js';
import { findCall, indexOfMessage } from './messages.js';
import type { Model, OpenItem } from './model.js';

/** PRO-17: the questions of an earlier run, told before the run that did not answer them. */
const earlierQuestions = ({ pending, run }: Model): readonly AguiEvent[] =>
  pending && pending.started !== run?.started ? [pending.started, pending.finished] : [];

/** All of them, the ended too: a later child may name an ended parent. Children end before their parents. */
const subagents = (model: Model): readonly AguiEvent[] => [
  ...model.subagents.map(({ started }) => started),
  ...model.subagents.toReversed().flatMap(({ ended }) => ended ?? []),
];

const finishedSteps = ({ steps }: Model): readonly AguiEvent[] =>
  steps.flatMap((step) => [
    { type: 'STEP_STARTED', ...step },
    { type: 'STEP_FINISHED', ...step },
  ]);

/** A snapshot of the agent's may have dropped what is still being written; told after ours, it would come back. */
const isDropped = (model: Model, { kind, id }: OpenItem): boolean => {
  if (kind === 'tool') return findCall(model, id) === undefined;
  return (kind === 'text' || kind === 'reasoning') && indexOfMessage(model, id) < 0;
};

/** Opens these again for a reader, some of them before the reader is told the messages. */
export const openersOf = (
  model: Model,
  items: readonly OpenItem[],
): { readonly before: readonly AguiEvent[]; readonly after: readonly AguiEvent[] } => {
  const dropped = items.filter((item) => isDropped(model, item));
  const shown = items.filter((item) => !dropped.includes(item));
  return { before: dropped.map(({ opener }) => opener), after: shown.map(({ opener }) => opener) };
};

export const prelude = (model: Model): AguiEvent[] => {
  const { run } = model;
  if (!run?.started) return run?.error ? [run.error] : [];
  const openers = openersOf(model, model.open);
  return [
    ...earlierQuestions(model),
    run.started,
    ...subagents(model),
    ...openers.before,
    { type: 'MESSAGES_SNAPSHOT', messages: model.messages },
    { type: 'STATE_SNAPSHOT', snapshot: model.state },
    ...finishedSteps(model),
    ...customAgain(model.custom, model),
    ...openers.after,
    ...(run.finished ? [run.finished] : []),
    ...(run.error ? [run.error] : []),
  ];
};
