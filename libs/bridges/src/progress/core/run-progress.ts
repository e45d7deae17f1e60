/** Folds what reviewers are shown of one run into what there is to tell of it: its steps, its words, its end. */
import type { AguiEvent } from '@triptych/protocol';

export type StepStatus = 'running' | 'done' | 'failed' | 'left';

export interface Step {
  readonly id: string;
  readonly title: string;
  readonly status: StepStatus;
}

export type RunEnd = 'success' | 'interrupt' | 'cancelled' | 'failed';

interface Said {
  readonly id: string;
  readonly text: string;
}

/** What the thread held before the run: a conversation that is restated tells it again. */
export interface Before {
  /** Ids of messages. */
  readonly said: Set<string>;
  /** How calls are called, by id. */
  readonly calls: Map<string, string>;
}

export interface RunProgress {
  readonly runId: string;
  readonly before: Before;
  readonly begun: boolean;
  readonly steps: readonly Step[];
  readonly said: readonly Said[];
  readonly end?: RunEnd;
}

/** More steps than that nobody reads; the oldest go. */
export const MAX_STEPS = 50;

export const nothingBefore = (): Before => ({ said: new Set(), calls: new Map() });

export const noProgress = (runId: string, before: Before): RunProgress => ({
  runId,
  before,
  begun: false,
  steps: [],
  said: [],
});

interface RawMessage {
  readonly id?: unknown;
  readonly role?: unknown;
  readonly content?: unknown;
  readonly subagentRunId?: unknown;
  readonly toolCalls?: readonly { readonly id: string; readonly function: { readonly name: string } }[];
}

const messagesIn = ({ type, messages, input }: AguiEvent): readonly RawMessage[] => {
  const given = type === 'RUN_STARTED' ? (input as { messages?: unknown } | undefined)?.messages : messages;
  return Array.isArray(given) ? (given as RawMessage[]) : [];
};

/** Goes through all that was before the run, which may be much: it writes into what it is given. */
export const noteBefore = ({ said, calls }: Before, event: AguiEvent): void => {
  if (event.type === 'TEXT_MESSAGE_START') said.add(String(event['messageId']));
  if (event.type === 'TOOL_CALL_START') calls.set(String(event['toolCallId']), String(event['toolCallName']));
  for (const { id, toolCalls = [] } of messagesIn(event)) {
    said.add(String(id));
    for (const call of toolCalls) calls.set(call.id, call.function.name);
  }
};

const withStep = (progress: RunProgress, step: Step): RunProgress => {
  const others = progress.steps.filter(({ id }) => id !== step.id);
  const isNew = others.length === progress.steps.length;
  const steps = isNew
    ? [...progress.steps, step].slice(-MAX_STEPS)
    : progress.steps.map((each) => (each.id === step.id ? step : each));
  return { ...progress, steps };
};

const settled = (progress: RunProgress, stepId: string, status: StepStatus): RunProgress => ({
  ...progress,
  steps: progress.steps.map((step) => (step.id === stepId ? { ...step, status } : step)),
});

/** The same name may come again later in a run. */
const stepId = (progress: RunProgress, { stepName, subagentRunId }: AguiEvent): string => {
  const name = `step ${JSON.stringify([subagentRunId ?? null, stepName])}`;
  const times = progress.steps.filter(({ id, status }) => id.startsWith(name) && status !== 'running').length;
  return times === 0 ? name : `${name} ${times + 1}`;
};

const callId = ({ toolCallId }: AguiEvent): string => `call ${String(toolCallId)}`;

const said = (progress: RunProgress, id: string, text: (before: string) => string): RunProgress => {
  const there = progress.said.find((each) => each.id === id);
  if (!there) return { ...progress, said: [...progress.said, { id, text: text('') }] };
  return {
    ...progress,
    said: progress.said.map((each) => (each.id === id ? { id, text: text(each.text) } : each)),
  };
};

const isAgents = ({ role = 'assistant', subagentRunId }: AguiEvent): boolean =>
  role === 'assistant' && subagentRunId === undefined;

/** Words that came by a restated conversation alone. */
const restated = (progress: RunProgress, event: AguiEvent): RunProgress =>
  messagesIn(event)
    .filter(({ id, role, subagentRunId, content }) => {
      const own =
        role === 'assistant' && subagentRunId === undefined && !progress.before.said.has(String(id));
      return own && typeof content === 'string' && content !== '';
    })
    .reduce((at, { id, content }) => said(at, String(id), () => String(content)), progress);

const OUTCOMES: Readonly<Record<string, RunEnd>> = { interrupt: 'interrupt', cancelled: 'cancelled' };

const ended = (progress: RunProgress, end: RunEnd): RunProgress => ({
  ...progress,
  end,
  steps: progress.steps.map((step) =>
    step.status === 'running' ? { ...step, status: end === 'failed' ? 'failed' : 'left' } : step,
  ),
});

const outcomeOf = ({ outcome }: AguiEvent): RunEnd =>
  OUTCOMES[String((outcome as { type?: unknown } | undefined)?.type)] ?? 'success';

type Fold = (progress: RunProgress, event: AguiEvent) => RunProgress;

const startedCall: Fold = (progress, event) => {
  const title = String(event['toolCallName']);
  return withStep(progress, { id: callId(event), title, status: 'running' });
};

/** The call may be one of the run before, which asked about it. */
const finishedCall: Fold = (progress, event) => {
  const id = callId(event);
  const title =
    progress.steps.find((step) => step.id === id)?.title ??
    progress.before.calls.get(String(event['toolCallId']));
  return title === undefined ? progress : withStep(progress, { id, title, status: 'done' });
};

const FOLDS: ReadonlyMap<string, Fold> = new Map<string, Fold>([
  [
    'STEP_STARTED',
    (progress, event) =>
      withStep(progress, {
        id: stepId(progress, event),
        title: String(event['stepName']),
        status: 'running',
      }),
  ],
  ['STEP_FINISHED', (progress, event) => settled(progress, stepId(progress, event), 'done')],
  ['TOOL_CALL_START', startedCall],
  ['TOOL_CALL_RESULT', finishedCall],
  [
    'TEXT_MESSAGE_START',
    (progress, event) =>
      isAgents(event) ? said(progress, String(event['messageId']), (was) => was) : progress,
  ],
  [
    'TEXT_MESSAGE_CONTENT',
    (progress, event) =>
      progress.said.some(({ id }) => id === event['messageId'])
        ? said(progress, String(event['messageId']), (was) => was + String(event['delta']))
        : progress,
  ],
  ['MESSAGES_SNAPSHOT', restated],
  ['RUN_FINISHED', (progress, event) => ended(progress, outcomeOf(event))],
  ['RUN_ERROR', (progress) => ended(progress, 'failed')],
]);

/** An event after the run was admitted; what comes after its end is another's. */
export const progressStep = (progress: RunProgress, event: AguiEvent): RunProgress => {
  if (progress.end) return progress;
  if (progress.begun) return FOLDS.get(event.type)?.(progress, event) ?? progress;
  const begins = event.type === 'RUN_STARTED' && event['runId'] === progress.runId;
  return begins ? { ...progress, begun: true } : progress;
};

export const wordsOf = ({ said: all }: RunProgress): string =>
  all
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n\n');
