/** Plays tool calls, the question whether one may be made, and what came of it. */
import type { Message, ToolCall } from '@triptych/protocol';
import { BREATH_MS, PIECE_MS, TOOL_MS, piecesOf } from './pace.js';
import type { Ask, Call, Settle } from './scenario.js';
import { restateMessages, restateState } from './play-state.js';
import { emit, emitEnd, filled, learn, wait, worded } from './stage.js';
import type { Performer, Stage } from './stage.js';

export const playCall: Performer<Call> = (step, stage) => {
  const key = step.key ?? step.call;
  const toolCallId = stage.ids.ofRun('call', key);
  const text = JSON.stringify(filled(stage, step.args));
  wait(stage, BREATH_MS);
  if (step.chunks) callInChunks(stage, { toolCallId, toolCallName: step.call, text });
  else callWhole(step, stage, { toolCallId, toolCallName: step.call, text });
  const call: ToolCall = { id: toolCallId, type: 'function', function: { name: step.call, arguments: text } };
  learn(stage, { id: toolCallId, role: 'assistant', toolCalls: [call] });
  if (step.result === undefined) return 'on';
  wait(stage, TOOL_MS);
  giveResult(stage, { key, toolCallId, result: filled(stage, step.result) });
  return 'on';
};

interface Spoken {
  readonly toolCallId: string;
  readonly toolCallName: string;
  readonly text: string;
}

const callWhole = (step: Call, stage: Stage, { toolCallId, toolCallName, text }: Spoken): void => {
  emit(stage, { type: 'TOOL_CALL_START', toolCallId, toolCallName });
  for (const delta of piecesOf(text)) {
    wait(stage, PIECE_MS);
    emit(stage, { type: 'TOOL_CALL_ARGS', toolCallId, delta });
  }
  if (!step.open) emit(stage, { type: 'TOOL_CALL_END', toolCallId });
};

const callInChunks = (stage: Stage, { toolCallId, toolCallName, text }: Spoken): void => {
  for (const [at, delta] of piecesOf(text).entries()) {
    wait(stage, PIECE_MS);
    emit(stage, { type: 'TOOL_CALL_CHUNK', ...(at === 0 ? { toolCallId, toolCallName } : {}), delta });
  }
};

interface Outcome {
  readonly key: string;
  readonly toolCallId: string;
  readonly result: unknown;
}

const giveResult = (stage: Stage, { key, toolCallId, result }: Outcome): void => {
  const messageId = stage.ids.ofRun('result', key);
  const content = JSON.stringify(result);
  emit(stage, { type: 'TOOL_CALL_RESULT', messageId, toolCallId, content, role: 'tool' });
  learn(stage, { id: messageId, role: 'tool', toolCallId, content });
  stage.scope.result = result;
};

/** AGT-24: what was carried out once is not carried out again; the run goes on with what came of it then. */
export const playSettle: Performer<Settle> = (step, stage) => {
  const toolCallId = stage.answering;
  if (toolCallId === undefined) throw new Error('settle belongs into an answer');
  const before = resultOf(stage.known.messages, toolCallId);
  if (before) {
    stage.scope.result = before.result;
    return 'on';
  }
  wait(stage, TOOL_MS);
  giveResult(stage, { key: step.settle, toolCallId, result: filled(stage, step.result) });
  return 'on';
};

const resultOf = (
  messages: readonly Message[],
  toolCallId: string,
): { readonly result: unknown } | undefined => {
  const given = messages.find((one) => one.role === 'tool' && one.toolCallId === toolCallId)?.content;
  if (given === undefined) return undefined;
  return { result: typeof given === 'string' ? parsed(given) : given };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Everything is restated first, so that whoever joins at the question knows what it is about. */
export const playAsk: Performer<Ask> = (step, stage) => {
  wait(stage, BREATH_MS);
  restateState(stage);
  restateMessages(stage);
  const interrupt = {
    ...(step.reason
      ? { id: stage.ids.ofThread('question', step.ask), reason: step.reason }
      : {
          id: stage.ids.ofRun('ask', step.ask),
          reason: 'tool_call',
          toolCallId: stage.ids.ofRun('call', step.ask),
        }),
    message: worded(stage, step.message),
    responseSchema: filled(stage, step.schema),
  };
  const { threadId, runId } = stage.input;
  return emitEnd(stage, {
    type: 'RUN_FINISHED',
    threadId,
    runId,
    outcome: { type: 'interrupt', interrupts: [interrupt] },
  });
};
