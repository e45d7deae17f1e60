/** What an agent that comes by itself has to tell. */
import type { AguiEvent } from '@triptych/protocol';

/** A whole run of so many pieces of text. */
export const story = (threadId: string, runId = 'r1', pieces = 3): AguiEvent[] => [
  { type: 'RUN_STARTED', threadId, runId },
  { type: 'TEXT_MESSAGE_START', messageId: `${runId}-m`, role: 'assistant' },
  ...Array.from({ length: pieces }, (_, nth) => ({
    type: 'TEXT_MESSAGE_CONTENT' as const,
    messageId: `${runId}-m`,
    delta: `${nth} `,
  })),
  { type: 'TEXT_MESSAGE_END', messageId: `${runId}-m` },
  { type: 'RUN_FINISHED', threadId, runId },
];
