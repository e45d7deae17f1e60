/** Runs: which may begin, what may come after the end, and what must be closed by then. */
import type { EventOf } from '../event-types.js';
import { forgetSeen, own, ownerName, ownMessages } from './owners.js';
import { closeAll, type RunGrammar } from './run-grammar.js';
import { violation, type Violation } from './violations.js';

const quoted = (ids: Iterable<string>): string => [...ids].map((id) => `'${id}'`).join(', ');

/** PRO-4: what may be sent at all, given how the stream stands. */
export const phaseFault = (run: RunGrammar, type: string): Violation | undefined => {
  if (run.phase === 'open') {
    if (type !== 'RUN_STARTED') return undefined;
    return violation('run-active', `The run '${run.runId}' has not ended.`);
  }
  if (type === 'RUN_STARTED') return undefined;
  if (type === 'RUN_ERROR' && run.phase !== 'failed') return undefined;
  if (run.phase === 'fresh') return violation('first-event', `A stream cannot begin with ${type}.`);
  return violation('run-over', `${type} came after the run had ${run.phase}.`);
};

const threadFault = (run: RunGrammar, threadId: unknown): Violation | undefined =>
  threadId === run.threadId
    ? undefined
    : violation('wrong-thread', `This stream is of another thread than '${String(threadId)}'.`, '/threadId');

const runIdFault = (run: RunGrammar, runId: string): Violation | undefined => {
  if (run.runIds.has(runId))
    return violation('run-id-reused', `The run '${runId}' was in this stream before.`, '/runId');
  if (run.phase === 'fresh' && runId !== run.asked)
    return violation('wrong-run', `The run asked for is not '${runId}'.`, '/runId');
  return undefined;
};

export const runStarted = (run: RunGrammar, event: EventOf<'RUN_STARTED'>): Violation | undefined => {
  const fault = threadFault(run, event.threadId) ?? runIdFault(run, event.runId);
  if (fault) return fault;
  closeAll(run);
  run.snapshots.clear();
  run.phase = 'open';
  run.runId = event.runId;
  run.runIds.add(event.runId);
  forgetSeen(run.owners);
  ownMessages(run.owners, event.input?.messages ?? [], own);
  return undefined;
};

const stillOpen = (run: RunGrammar): Violation | undefined => {
  const steps = [...run.steps.values()].map(({ stepName, owner }) =>
    owner === undefined ? stepName : `${stepName} of ${ownerName(owner)}`,
  );
  const subagents = [...run.subagents].filter(([, state]) => state === 'active').map(([id]) => id);
  const kinds: readonly (readonly [string, Iterable<string>])[] = [
    ['steps', steps],
    ['text messages', run.text],
    ['reasoning messages', run.reasoning],
    ['reasoning spans', run.spans],
    ['tool calls', run.toolCalls],
    ['subagents', subagents],
  ];
  const left = kinds.find(([, ids]) => quoted(ids) !== '');
  return left && violation('open-at-end', `RUN_FINISHED while ${left[0]} are open: ${quoted(left[1])}.`);
};

export const runFinished = (run: RunGrammar, event: EventOf<'RUN_FINISHED'>): Violation | undefined => {
  const wrongRun =
    event.runId === run.runId
      ? undefined
      : violation('wrong-run', `The open run is not '${event.runId}'.`, '/runId');
  const fault = threadFault(run, event.threadId) ?? wrongRun ?? stillOpen(run);
  if (fault) return fault;
  run.phase = 'finished';
  return undefined;
};

/** RUN_ERROR names no run; one that does so all the same must name its own. */
export const runError = (run: RunGrammar, event: EventOf<'RUN_ERROR'>): Violation | undefined => {
  const { threadId, runId } = event as { threadId?: unknown; runId?: unknown };
  if (typeof threadId === 'string' && threadId !== run.threadId) return threadFault(run, threadId);
  if (typeof runId === 'string' && runId !== (run.runId ?? run.asked))
    return violation('wrong-run', `The run is not '${runId}'.`, '/runId');
  closeAll(run);
  run.phase = 'failed';
  return undefined;
};
