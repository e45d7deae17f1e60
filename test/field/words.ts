/** Short words for what agents say in these tests. */
import type { AguiEvent, Model } from '@triptych/protocol';

export const started = (threadId: string, runId = 'run-1'): AguiEvent => ({
  type: 'RUN_STARTED',
  threadId,
  runId,
});
export const finished = (threadId: string, runId = 'run-1', more: object = {}): AguiEvent => ({
  type: 'RUN_FINISHED',
  threadId,
  runId,
  ...more,
});
export const opens = (messageId: string): AguiEvent => ({
  type: 'TEXT_MESSAGE_START',
  messageId,
  role: 'assistant',
});
export const says = (messageId: string, delta: string, more: object = {}): AguiEvent => ({
  type: 'TEXT_MESSAGE_CONTENT',
  messageId,
  delta,
  ...more,
});
export const ends = (messageId: string): AguiEvent => ({ type: 'TEXT_MESSAGE_END', messageId });

export const spoken = (messageId: string, ...deltas: readonly string[]): readonly AguiEvent[] => [
  opens(messageId),
  ...deltas.map((delta) => says(messageId, delta)),
  ends(messageId),
];
export const wholeRun = (
  thread: string,
  runId: string,
  ...deltas: readonly string[]
): readonly AguiEvent[] => [
  started(thread, runId),
  ...spoken(`${runId}-m`, ...deltas),
  finished(thread, runId),
];

/** All that was said on a screen. */
export const saidIn = ({ messages }: Pick<Model, 'messages'>): string =>
  messages.map(({ content }) => (typeof content === 'string' ? content : '')).join('');
