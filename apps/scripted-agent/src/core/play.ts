/** Turns a scenario and an input into the stream an agent would send: what, in which order, and when. */
import type { Message, RunAgentInput } from '@triptych/protocol';
import { PROTOCOL_VERSION } from '@triptych/protocol';
import { verbOf } from './parse-scenario.js';
import type { Verb } from './parse-scenario.js';
import { playAsk, playCall, playSettle } from './play-calls.js';
import {
  playChoose,
  playCut,
  playFail,
  playFinish,
  playPause,
  playPhase,
  playSubagent,
  playTogether,
} from './play-flow.js';
import { playActivity, playCard, playCustom, playPatch, playRaw } from './play-screen.js';
import { playRestate, playSet, playState } from './play-state.js';
import { playSay, playThink } from './play-words.js';
import { readAnswers, readReplies, toldByMessages } from './read-answers.js';
import type { Answer, Reply } from './read-answers.js';
import { readValues } from './read-values.js';
import { runIds } from './run-ids.js';
import type { Scenario, Step } from './scenario.js';
import { emitUntagged, inOrder } from './stage.js';
import type { Flow, PerformSteps, Performer, Planned, Stage } from './stage.js';

const NOTHING_WAITS = 'Nothing of ours is waiting for that answer, so nothing was done with it.';

const PERFORMERS: { readonly [V in Verb]: Performer<Extract<Step, Record<V, unknown>>> } = {
  say: playSay,
  think: playThink,
  call: playCall,
  settle: playSettle,
  ask: playAsk,
  step: playPhase,
  state: playState,
  set: playSet,
  restate: playRestate,
  card: playCard,
  activity: playActivity,
  patch: playPatch,
  custom: playCustom,
  raw: playRaw,
  subagent: playSubagent,
  together: playTogether,
  pauseMs: playPause,
  choose: playChoose,
  finish: playFinish,
  fail: playFail,
  cut: playCut,
};

/** What was answered by messages goes on like what was answered by a resume. */
const heard = (input: RunAgentInput): RunAgentInput => {
  const told = input.resume?.length ? [] : toldByMessages(input.messages);
  return told.length === 0 ? input : { ...input, resume: [...told] };
};

export const play = (scenario: Scenario, given: RunAgentInput): readonly Planned[] => {
  const input = heard(given);
  const stage = stageFor(scenario, input);
  const { threadId, runId, parentRunId } = input;
  const parent = parentRunId === undefined ? {} : { parentRunId };
  emitUntagged(stage, { type: 'RUN_STARTED', threadId, runId, protocolVersion: PROTOCOL_VERSION, ...parent });
  const flow = input.resume?.length ? playAnswers(stage) : perform(scenario.start, stage);
  if (flow === 'on') perform([{ finish: {} }], stage);
  return inOrder(stage.track.moments);
};

const stageFor = (scenario: Scenario, input: RunAgentInput): Stage => {
  const ids = runIds(input.threadId, input.runId);
  return {
    scenario,
    input,
    ids,
    known: { messages: [...input.messages], state: input.state ?? {}, unnamed: 0 },
    track: { nowMs: 0, moments: [] },
    scope: readValues(scenario, input, ids),
  };
};

const perform: PerformSteps = (steps, stage) => {
  for (const step of steps) if (performStep(step, stage) === 'over') return 'over';
  return 'on';
};

const performStep = (step: Step, stage: Stage): Flow => {
  const verb = verbOf(step);
  if (!verb) throw new Error('a step without a verb');
  return (PERFORMERS[verb] as Performer<Step>)(step, stage, perform);
};

const playAnswers = (stage: Stage): Flow => {
  const answers = readAnswers(stage.input).filter(({ call }) =>
    Object.hasOwn(stage.scenario.answers, call.function.name),
  );
  const replies = readReplies(stage.input, questionsOf(stage));
  if (answers.length + replies.length === 0) return perform([{ say: NOTHING_WAITS }], stage);
  for (const answer of answers) if (playAnswer(answer, stage) === 'over') return 'over';
  for (const reply of replies) if (playReply(reply, stage) === 'over') return 'over';
  return 'on';
};

const questionsOf = ({ scenario, ids }: Stage): ReadonlyMap<string, string> =>
  new Map(Object.keys(scenario.questions).map((key) => [ids.ofThread('question', key), key]));

const playReply = (reply: Reply, stage: Stage): Flow => {
  const { scenario, input, ids, known } = stage;
  const steps = scenario.questions[reply.key]?.[reply.is] ?? [];
  const given = reply.is === 'answered' ? reply.given : {};
  const scope = readValues(scenario, input, { reference: ids.reference, given });
  const heardAt = known.messages.findLastIndex(({ role }) => role === 'user') + 1;
  return perform(steps, { ...stage, repliedAt: heardAt, scope });
};

const playAnswer = (answer: Answer, stage: Stage): Flow => {
  const steps = stage.scenario.answers[answer.call.function.name]?.[answer.is] ?? [];
  const { call, proposed } = answer;
  if (answer.is === 'approved' && answer.edited)
    stage.known.messages = stage.known.messages.map((one) => withArgs(one, call.id, answer.args));
  const scope = { ...stage.scope, ...answer, args: answer.is === 'approved' ? answer.args : proposed };
  return perform(steps, { ...stage, answering: call.id, scope });
};

const withArgs = (message: Message, callId: string, args: unknown): Message => {
  if (message.role !== 'assistant' || !message.toolCalls) return message;
  const toolCalls = message.toolCalls.map((call) =>
    call.id === callId ? { ...call, function: { ...call.function, arguments: JSON.stringify(args) } } : call,
  );
  return { ...message, toolCalls };
};
