/** Shows the beginning and end of runs. */
import type { AguiEvent, Interrupt } from '@triptych/protocol';
import { trim } from './fields.js';
import { lookUp, withEntry } from './long-map.js';
import { showMessages } from './messages.js';
import { isForOthers } from './own-calls.js';
import { showQuestions } from './questions.js';
import { nothingOpen, shownAs } from './view.js';
import type { EntryToShow, ProjectedView, RunFacts, Show, ViewStep } from './view.js';

interface StoredInput {
  readonly threadId?: unknown;
  readonly runId?: unknown;
  readonly messages?: unknown;
}

/** The hub names the client's own tools here, as the log keeps none in `input`. */
const frontendToolsOf = (event: AguiEvent): ReadonlySet<string> => {
  const hub = (event['metadata'] as { readonly hub?: { readonly frontendTools?: unknown } } | undefined)?.hub;
  const names = hub?.frontendTools;
  return new Set(Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []);
};

const isBareInput = (input: object): boolean =>
  Object.entries(input).every(
    ([name, value]) =>
      ['threadId', 'runId', 'messages'].includes(name) ||
      (['tools', 'context'].includes(name) && Array.isArray(value) && value.length === 0),
  );

const showInput = (view: ProjectedView, given: unknown): { view: ProjectedView; input?: unknown } => {
  if (typeof given !== 'object' || given === null) return { view };
  const input = given as StoredInput;
  const { view: next, messages } = showMessages(view, input.messages, 'hub');
  if (messages === input.messages && isBareInput(input)) return { view: next, input };
  const { threadId, runId } = input;
  return { view: next, input: { threadId, runId, messages, tools: [], context: [] } };
};

export const showRunStarted: Show = (view, { event }) => {
  const run: RunFacts = {
    runId: String(event['runId']),
    touched: view.run.asking,
    asking: view.run.asking,
    frontendTools: frontendToolsOf(event),
  };
  const { parentRunId: parent } = event;
  const parentRunId = typeof parent === 'string' && lookUp(view.runs, parent) ? parent : undefined;
  const begun = { ...view, run, runs: withEntry(view.runs, run.runId, true), open: nothingOpen() };
  const { view: next, input } = showInput(begun, event['input']);
  return shownAs(next, event, trim(event, { parentRunId, input }));
};

interface StoredOutcome {
  readonly type: string;
  readonly pendingToolCallIds?: readonly string[];
  readonly interrupts?: readonly Interrupt[];
}

const showPending = (
  view: ProjectedView,
  { at }: EntryToShow,
  { pendingToolCallIds: ids }: StoredOutcome,
) => {
  const isTheirs = (id: string): boolean => {
    const call = lookUp(view.calls, id);
    return call?.shownAs !== undefined && !isForOthers(view, call, at);
  };
  return { type: 'success', ...(ids ? { pendingToolCallIds: ids.filter(isTheirs) } : {}) };
};

type ShowOutcome = (view: ProjectedView, entry: EntryToShow, outcome: StoredOutcome) => object;

const OUTCOMES: ReadonlyMap<string, ShowOutcome> = new Map<string, ShowOutcome>([
  ['success', showPending],
  ['cancelled', () => ({ type: 'cancelled' })],
  [
    'interrupt',
    (view, entry, { interrupts = [] }) => ({
      type: 'interrupt',
      interrupts: showQuestions(view, entry, interrupts),
    }),
  ],
]);

export const showRunFinished: Show = (view, entry): ViewStep<ProjectedView> => {
  const { event } = entry;
  const outcome = event['outcome'] as StoredOutcome | undefined;
  const next: ProjectedView = { ...view, run: { ...view.run, asking: outcome?.type === 'interrupt' } };
  // A kind of end that nobody knows is left out, as every reader of AG-UI 1.0 does.
  const shown = outcome ? OUTCOMES.get(outcome.type)?.(view, entry, outcome) : undefined;
  const isAll = JSON.stringify(shown) === JSON.stringify(outcome);
  return shownAs(next, event, trim(event, { outcome: isAll ? outcome : shown }));
};
