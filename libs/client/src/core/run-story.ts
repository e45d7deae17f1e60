/** Tells one run out of a thread's stream, from its RUN_STARTED to its end, whatever snapshots come in between. */
import {
  emptyModel,
  isTerminal,
  modelStep,
  type AguiEvent,
  type Model,
  type RunAgentInput,
  type RunSummary,
} from '@triptych/protocol';
import {
  bridge,
  catchUp,
  endInQuestions,
  endRun,
  isOver,
  OUTCOME_UNKNOWN,
  runIdOf,
  tellRun,
} from './bridge.js';

export interface RunStory {
  readonly runId: string;
  readonly input: Pick<RunAgentInput, 'threadId' | 'messages' | 'state'>;
  /** `asked`: maybe it will not begin · `admitted`: it will, or has · `telling` · `over`. */
  readonly phase: 'asked' | 'admitted' | 'telling' | 'over';
  /** As the reader was told it; before the run begins, as the thread was. */
  readonly model: Model;
}

export interface Telling {
  readonly story: RunStory;
  readonly events: readonly AguiEvent[];
  /** The run was over before it could be told: what the thread is now. Ask how it ended and say {@link endUnseen}. */
  readonly passed?: Model;
}

const silent = (story: RunStory): Telling => ({ story, events: [] });

const told = (story: RunStory, model: Model, events: readonly AguiEvent[]): Telling => ({
  story: { ...story, model, phase: events.some(isTerminal) ? 'over' : 'telling' },
  events,
});

/** What comes after the run's end belongs to the thread, not to the run. */
const upToEnd = (events: readonly AguiEvent[]): readonly AguiEvent[] => {
  const end = events.findIndex(isTerminal);
  return end < 0 ? events : events.slice(0, end + 1);
};

/** Events that the thread shows next; `model` is what they lead to. */
export const storyEvents = (story: RunStory, events: readonly AguiEvent[], model: Model): Telling => {
  if (story.phase === 'over') return silent(story);
  if (story.phase === 'telling') return told(story, model, upToEnd(events));
  const at = events.findIndex(({ type, runId }) => type === 'RUN_STARTED' && runId === story.runId);
  const started = events[at];
  if (started === undefined) return silent({ ...story, model });
  const before = events.slice(0, at).reduce(modelStep, story.model);
  const rest = upToEnd(events.slice(at + 1));
  return told(story, model, [started, ...catchUp(before, started, story.input), ...rest]);
};

/** The thread's model was built anew. */
export const storyRebuilt = (story: RunStory, now: Model): Telling => {
  if (story.phase === 'over') return silent(story);
  if (story.phase === 'telling') return rebuiltMidway(story, now);
  if (runIdOf(now) === story.runId) return told(story, now, tellRun(now, story.input));
  const { pending } = now;
  if (pending?.started['runId'] === story.runId)
    return told(story, now, endRunUntold(now, pending.started, pending.finished));
  const isNews = story.phase === 'admitted' && runIdOf(now) !== runIdOf(story.model);
  return isNews ? { ...silent(story), passed: now } : silent({ ...story, model: now });
};

/** The hub has taken the run, perhaps under another id: it may have begun already. */
export const storyAdmitted = (story: RunStory, runId: string): Telling => {
  if (story.phase !== 'asked' && runId === story.runId) return silent(story);
  const admitted: RunStory = { ...story, runId, phase: 'admitted' };
  return storyRebuilt(admitted, story.model);
};

const rebuiltMidway = (story: RunStory, now: Model): Telling => {
  if (runIdOf(now) === story.runId) {
    const events = bridge(story.model, now);
    return { story: { ...story, model: now, phase: isOver(now) ? 'over' : 'telling' }, events };
  }
  const end = endInQuestions(story.model, now);
  return end ? told(story, now, endRun(story.model, now, end)) : { ...silent(story), passed: now };
};

const endRunUntold = (now: Model, started: AguiEvent, end: AguiEvent): readonly AguiEvent[] => [
  started,
  ...endRun(modelStep(emptyModel(), started), now, end),
];

const endOf = ({ input, runId }: RunStory, summary: RunSummary | undefined): AguiEvent => {
  const finished = { type: 'RUN_FINISHED', threadId: input.threadId, runId };
  switch (summary?.status) {
    case 'success':
      return finished;
    case 'cancelled':
      return summary.code === undefined
        ? { ...finished, outcome: { type: 'cancelled' } }
        : { type: 'RUN_ERROR', code: summary.code, message: 'The run was cancelled.' };
    case 'failed':
      return { type: 'RUN_ERROR', code: summary.code ?? 'hub/agent-error', message: 'The run failed.' };
    default:
      return OUTCOME_UNKNOWN;
  }
};

/** Ends a story whose run passed unseen, as far as it is known how. */
export const endUnseen = (story: RunStory, now: Model, summary: RunSummary | undefined): Telling => {
  if (story.phase === 'over') return silent(story);
  const end = endOf(story, summary);
  const { threadId } = story.input;
  const started: AguiEvent = { type: 'RUN_STARTED', threadId, runId: story.runId };
  const events = story.phase === 'telling' ? endRun(story.model, now, end) : endRunUntold(now, started, end);
  return told(story, now, events);
};
