/** Takes a reader who was told a stream up to one model to another model of it, by events that are legal there. */
import {
  customAgain,
  emptyModel,
  modelStep,
  openersOf,
  prelude,
  sameJson,
  type AguiEvent,
  type Message,
  type Model,
  type ModelStep,
  type ModelSubagent,
  type OpenItem,
} from '@triptych/protocol';

export const runIdOf = ({ run }: Pick<Model, 'run'>): string | undefined =>
  run?.started?.['runId'] as string | undefined;

/** No run is under way. */
export const isOver = ({ run }: Model): boolean =>
  run === undefined || run.finished !== undefined || run.error !== undefined;

/** The run's own beginning to where it stands, without the questions of runs before it. */
const taleOfRun = ({ pending: _earlier, ...model }: Model): readonly AguiEvent[] => prelude(model);

const isThought = ({ role }: Message): boolean => role === 'reasoning';
/** Reasoning goes only for a snapshot that has some; the next one, which has the true ones, takes this away. */
const STAND_IN: Message = { id: 'client/stand-in', role: 'reasoning', content: '' };

/** What both begin with, in this order. */
const sharedBeginning = (told: readonly Message[], now: readonly Message[]): readonly Message[] => {
  const end = told.findIndex(({ id }, at) => id !== now[at]?.id);
  return now.slice(0, end < 0 ? told.length : end);
};

/** The thread has no activities but these: the reader's client keeps those a snapshot does not speak for. */
const SPEAKS_FOR_ALL = { '@ag-ui/client': { authoritativeActivityTypes: null } };

const messagesSnapshot = (messages: readonly Message[]): AguiEvent => ({
  type: 'MESSAGES_SNAPSHOT',
  messages,
  metadata: SPEAKS_FOR_ALL,
});

/** A snapshot keeps the places of what is there: where the order is another one, what is out of place goes first. */
const restated = (told: Model, now: Model): readonly AguiEvent[] => {
  if (sameJson(told.messages, now.messages)) return [];
  const whole = messagesSnapshot(now.messages);
  const { messages } = modelStep(told, whole);
  if (messages.every(({ id }, at) => id === now.messages[at]?.id)) return [whole];
  const beginning = sharedBeginning(told.messages, now.messages);
  return [messagesSnapshot(now.messages.some(isThought) ? [...beginning, STAND_IN] : beginning), whole];
};

/** What of messages and state the reader does not have. */
const snapshots = (told: Model, now: Model): readonly AguiEvent[] => [
  ...restated(told, now),
  ...(sameJson(told.state, now.state) ? [] : [{ type: 'STATE_SNAPSHOT', snapshot: now.state ?? {} }]),
];

const closerOf = ({ kind, id, opener }: OpenItem): AguiEvent => {
  switch (kind) {
    case 'text':
      return { type: 'TEXT_MESSAGE_END', messageId: id };
    case 'reasoning':
      return { type: 'REASONING_MESSAGE_END', messageId: id };
    case 'span':
      return { type: 'REASONING_END', messageId: id };
    case 'tool':
      return { type: 'TOOL_CALL_END', toolCallId: id };
    case 'step':
      return { ...opener, type: 'STEP_FINISHED' };
  }
};

const has = (items: readonly OpenItem[], { kind, id }: OpenItem): boolean =>
  items.some((item) => item.kind === kind && item.id === id);

const idOf = ({ started }: ModelSubagent): unknown => started['subagentRunId'];

const find = (subagents: readonly ModelSubagent[], wanted: ModelSubagent): ModelSubagent | undefined =>
  subagents.find((other) => idOf(other) === idOf(wanted));

/** Ends those the reader believes at work: as they ended, or plainly where that was not seen. Children first. */
const endsOfSubagents = (told: Model, now: Model): readonly AguiEvent[] => {
  const vanished = told.subagents.filter((agent) => !find(now.subagents, agent));
  return [...now.subagents, ...vanished].toReversed().flatMap((agent) => {
    if (find(told.subagents, agent)?.ended) return [];
    if (vanished.includes(agent)) return [{ type: 'SUBAGENT_FINISHED', subagentRunId: idOf(agent) }];
    return agent.ended ?? [];
  });
};

const isStep =
  (step: ModelStep) =>
  (other: ModelStep): boolean =>
    other.stepName === step.stepName && other.subagentRunId === step.subagentRunId;

const openSteps = ({ open }: Model): readonly ModelStep[] =>
  open.filter(({ kind }) => kind === 'step').map(({ opener }) => opener as unknown as ModelStep);

const missedSteps = (told: Model, now: Model): readonly AguiEvent[] =>
  now.steps
    .filter((step) => ![...told.steps, ...openSteps(told)].some(isStep(step)))
    .flatMap((step) => [
      { type: 'STEP_STARTED', ...step },
      { type: 'STEP_FINISHED', ...step },
    ]);

/** Models keep the last ones only: what they share is an end of the one and the beginning of the other. */
const missedCustom = (told: Model, now: Model): readonly AguiEvent[] => {
  for (let shared = Math.min(told.custom.length, now.custom.length); shared > 0; shared -= 1) {
    const [end, begin] = [told.custom.slice(-shared), now.custom.slice(0, shared)];
    if (end.every(({ event }, at) => sameJson(event, begin[at]?.event)))
      return customAgain(now.custom.slice(shared), now);
  }
  return customAgain(now.custom, now);
};

const missedEnds = (told: Model, now: Model): readonly AguiEvent[] => [
  ...(now.run?.finished && !told.run?.finished ? [now.run.finished] : []),
  ...(now.run?.error && !told.run?.error ? [now.run.error] : []),
];

/** The run goes on in `now`, or has ended there. What was open is closed only after it was told whole. */
const goOn = (told: Model, now: Model): readonly AguiEvent[] => {
  const openers = openersOf(
    now,
    now.open.filter((item) => !has(told.open, item)),
  );
  const left = told.open.filter((item) => !has(now.open, item));
  return [
    ...now.subagents.filter((agent) => !find(told.subagents, agent)).map(({ started }) => started),
    ...openers.before,
    ...snapshots(told, now),
    ...left.toReversed().map(closerOf),
    ...missedSteps(told, now),
    ...endsOfSubagents(told, now),
    ...missedCustom(told, now),
    ...openers.after,
    ...missedEnds(told, now),
  ];
};

/** Who asks for a run, with what they believe the thread to hold; activities are not part of an input. */
export interface Reader {
  readonly messages: readonly Message[];
  readonly state?: unknown;
}

const isActivity = ({ role }: Message): boolean => role === 'activity';

const knownTo = ({ messages, state }: Reader, started: AguiEvent, now: Model): Model => {
  const known = modelStep({ ...emptyModel(), messages, state: state ?? {} }, started);
  const spoken = now.messages.filter((message) => !isActivity(message));
  return sameJson(known.messages, spoken) ? { ...known, messages: now.messages } : known;
};

/** The run from its beginning to where it stands. */
export const tellRun = (now: Model, reader: Reader): readonly AguiEvent[] => {
  const started = now.run?.started;
  return started ? [started, ...goOn(knownTo(reader, started, now), now)] : [];
};

/** What a reader lacks of the thread as it was before the run, to be told right after the run began. */
export const catchUp = (before: Model, started: AguiEvent, reader: Reader): readonly AguiEvent[] => {
  const now = modelStep(before, started);
  return snapshots(knownTo(reader, started, now), now);
};

/** Ends the run the reader believes under way, with the messages and the state of `now`. */
export const endRun = (told: Model, now: Model, end: AguiEvent): readonly AguiEvent[] => [
  ...snapshots(told, now),
  ...told.open.toReversed().map(closerOf),
  ...endsOfSubagents(told, { ...now, subagents: [] }),
  end,
];

/** How the told run ended, when `now` still knows: its questions are open. */
export const endInQuestions = (told: Model, { pending }: Model): AguiEvent | undefined =>
  pending && pending.started['runId'] === runIdOf(told) ? pending.finished : undefined;

export const OUTCOME_UNKNOWN: AguiEvent = {
  type: 'RUN_ERROR',
  code: 'client/outcome-unknown',
  message: 'The run ended while this client was away; how it ended was not seen.',
};

/** Another run is shown now: the told one is ended first, and its questions are not told twice. */
const nextRun = (told: Model, now: Model): readonly AguiEvent[] => {
  const asked = endInQuestions(told, now);
  const end = isOver(told) ? [] : endRun(told, now, asked ?? OUTCOME_UNKNOWN);
  return [...end, ...(asked ? taleOfRun(now) : prelude(now))];
};

/** Nothing when the reader has all of it. */
export const bridge = (told: Model, now: Model): readonly AguiEvent[] => {
  if (runIdOf(told) !== runIdOf(now) || runIdOf(now) === undefined) return nextRun(told, now);
  if (!isOver(told)) return goOn(told, now);
  const ends = missedEnds(told, now);
  if (isOver(now) && snapshots(told, now).length === 0) return ends;
  // After the end of a run only a beginning is legal: it is told again.
  return taleOfRun(now);
};
