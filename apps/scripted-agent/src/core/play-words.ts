/** Plays what an agent says and thinks. */
import type { Message } from '@triptych/protocol';
import { BREATH_MS, THOUGHT_MS, WORD_MS, wordsOf } from './pace.js';
import type { Say, Think } from './scenario.js';
import { emit, learn, nextName, wait, worded } from './stage.js';
import type { Performer, Stage } from './stage.js';

export const playSay: Performer<Say> = (step, stage) => {
  const content = worded(stage, step.say);
  if (wasSaid(stage, content)) return 'on';
  const messageId = stage.ids.ofRun('message', nextName(stage));
  wait(stage, BREATH_MS);
  if (step.chunks) sayInChunks(step, stage, { messageId, content });
  else sayWhole(step, stage, { messageId, content });
  learn(stage, { id: messageId, role: 'assistant', content });
  return 'on';
};

interface Line {
  readonly messageId: string;
  readonly content: string;
}

const sayWhole = (step: Say, stage: Stage, { messageId, content }: Line): void => {
  emit(stage, { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' });
  for (const delta of wordsOf(content)) {
    wait(stage, step.paceMs ?? WORD_MS);
    emit(stage, { type: 'TEXT_MESSAGE_CONTENT', messageId, delta });
  }
  if (!step.open) emit(stage, { type: 'TEXT_MESSAGE_END', messageId });
};

/** Only the first chunk says whose text it is. */
const sayInChunks = (step: Say, stage: Stage, { messageId, content }: Line): void => {
  for (const [at, delta] of wordsOf(content).entries()) {
    wait(stage, step.paceMs ?? WORD_MS);
    emit(stage, { type: 'TEXT_MESSAGE_CHUNK', ...(at === 0 ? { messageId, role: 'assistant' } : {}), delta });
  }
};

/** AGT-24: a repeated resume does not say again what the first attempt said after the question. */
const wasSaid = (stage: Stage, content: string): boolean => {
  const from = answeredAt(stage);
  if (from === undefined) return false;
  return stage.known.messages
    .slice(from)
    .some((message) => message.role === 'assistant' && message.content === content);
};

const answeredAt = ({ answering, repliedAt, known }: Stage): number | undefined => {
  if (answering === undefined) return repliedAt;
  const isAsked = (message: Message): boolean =>
    message.role === 'assistant' && (message.toolCalls ?? []).some(({ id }) => id === answering);
  return known.messages.findIndex(isAsked) + 1;
};

export const playThink: Performer<Think> = (step, stage) => {
  const messageId = stage.ids.ofRun('reasoning', nextName(stage));
  wait(stage, BREATH_MS);
  if (step.chunks) return thinkInChunks(step, stage, messageId);
  emit(stage, { type: 'REASONING_START', messageId });
  emit(stage, { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' });
  for (const delta of wordsOf(worded(stage, step.think))) {
    wait(stage, THOUGHT_MS);
    emit(stage, { type: 'REASONING_MESSAGE_CONTENT', messageId, delta });
  }
  emit(stage, { type: 'REASONING_MESSAGE_END', messageId });
  emit(stage, { type: 'REASONING_END', messageId });
  return seal(step, stage, messageId);
};

const thinkInChunks = (step: Think, stage: Stage, messageId: string): 'on' => {
  for (const delta of wordsOf(worded(stage, step.think))) {
    wait(stage, THOUGHT_MS);
    emit(stage, { type: 'REASONING_MESSAGE_CHUNK', messageId, delta });
  }
  return seal(step, stage, messageId);
};

const seal = (step: Think, stage: Stage, messageId: string): 'on' => {
  if (step.sealed !== undefined)
    emit(stage, {
      type: 'REASONING_ENCRYPTED_VALUE',
      subtype: 'message',
      entityId: messageId,
      encryptedValue: step.sealed,
    });
  return 'on';
};
