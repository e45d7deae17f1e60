/** Plays the order of things: steps, choices, subagents, what happens together, and the ends. */
import { lookUp } from './fill.js';
import { BREATH_MS } from './pace.js';
import type {
  Choose,
  Condition,
  CutOff,
  Fail,
  Finish,
  Pause,
  Phase,
  Subagent,
  Together,
} from './scenario.js';
import { emit, emitEnd, emitUntagged, filled, nextName, wait, worded } from './stage.js';
import type { Performer, Stage } from './stage.js';

export const playPhase: Performer<Phase> = (step, stage, perform) => {
  wait(stage, BREATH_MS);
  emit(stage, { type: 'STEP_STARTED', stepName: step.step });
  if (perform(step.do, stage) === 'over') return 'over';
  emit(stage, { type: 'STEP_FINISHED', stepName: step.step });
  return 'on';
};

export const playPause: Performer<Pause> = ({ pauseMs }, stage) => {
  wait(stage, pauseMs);
  return 'on';
};

export const playChoose: Performer<Choose> = (step, stage, perform) => {
  const taken = step.choose.find(({ when }) => !when || holds(when, stage));
  return taken ? perform(taken.do, stage) : 'on';
};

const holds = (when: Condition, stage: Stage): boolean => {
  const value = lookUp(when.value, { ...stage.scope, state: stage.known.state });
  return (
    (when.exists === undefined || when.exists === (value !== undefined && value !== null)) &&
    (when.eq === undefined || when.eq === value) &&
    (when.gte === undefined || Number(value) >= when.gte) &&
    (when.lt === undefined || Number(value) < when.lt)
  );
};

export const playSubagent: Performer<Subagent> = (step, stage, perform) => {
  const subagentRunId = stage.ids.ofRun('subagent', `${step.subagent}-${nextName(stage)}`);
  const { description, fails } = step;
  wait(stage, BREATH_MS);
  emitUntagged(stage, {
    type: 'SUBAGENT_STARTED',
    subagentRunId,
    name: step.subagent,
    ...(description === undefined ? {} : { description }),
    ...(stage.owner === undefined ? {} : { parentSubagentRunId: stage.owner }),
  });
  if (perform(step.do, { ...stage, owner: subagentRunId }) === 'over') return 'over';
  wait(stage, BREATH_MS);
  if (fails) emitUntagged(stage, { type: 'SUBAGENT_ERROR', subagentRunId, ...fails });
  else emitUntagged(stage, { type: 'SUBAGENT_FINISHED', subagentRunId, ...resultOf(step, stage) });
  return 'on';
};

const resultOf = ({ result }: { readonly result?: unknown }, stage: Stage): object =>
  result === undefined ? {} : { result: filled(stage, result) };

/** Each branch keeps its own time from here on, which is what interleaves them. */
export const playTogether: Performer<Together> = (step, stage, perform) => {
  const from = stage.track.nowMs;
  const tracks = step.together.map((steps) => {
    const track = { nowMs: from, moments: stage.track.moments };
    if (perform(steps, { ...stage, track }) === 'over')
      throw new Error('a run cannot end in one of several branches');
    return track;
  });
  stage.track.nowMs = Math.max(...tracks.map(({ nowMs }) => nowMs));
  return 'on';
};

export const playFinish: Performer<Finish> = (step, stage) => {
  const { threadId, runId } = stage.input;
  return emitEnd(stage, { type: 'RUN_FINISHED', threadId, runId, ...resultOf(step.finish, stage) });
};

export const playFail: Performer<Fail> = (step, stage) => {
  wait(stage, BREATH_MS);
  const code = step.code === undefined ? {} : { code: step.code };
  return emitEnd(stage, { type: 'RUN_ERROR', message: worded(stage, step.fail), ...code });
};

export const playCut: Performer<CutOff> = (_step, stage) => {
  stage.track.moments.push({ atMs: stage.track.nowMs, cut: true });
  return 'over';
};
