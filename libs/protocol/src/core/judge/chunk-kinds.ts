/** The three kinds of chunk, as data: what each opens, continues and closes, and what its chunks may repeat. */
import type { EventName } from '../event-types.js';

export type ChunkName = 'TEXT_MESSAGE_CHUNK' | 'TOOL_CALL_CHUNK' | 'REASONING_MESSAGE_CHUNK';

export interface ChunkKind {
  readonly chunk: ChunkName;
  readonly noun: string;
  readonly id: 'messageId' | 'toolCallId';
  readonly start: EventName;
  readonly piece: EventName;
  readonly end: EventName;
  /** Members of the opener that a later chunk may repeat, never change. */
  readonly agreed: readonly string[];
  /** Members the opener has whether or not the chunk gave them. */
  readonly opener: Readonly<Record<string, string>>;
  /** Members the first chunk must have, beside the id. */
  readonly needs: readonly string[];
}

const text: ChunkKind = {
  chunk: 'TEXT_MESSAGE_CHUNK',
  noun: 'text message',
  id: 'messageId',
  start: 'TEXT_MESSAGE_START',
  piece: 'TEXT_MESSAGE_CONTENT',
  end: 'TEXT_MESSAGE_END',
  agreed: ['role', 'name'],
  opener: { role: 'assistant' },
  needs: [],
};

const tool: ChunkKind = {
  chunk: 'TOOL_CALL_CHUNK',
  noun: 'tool call',
  id: 'toolCallId',
  start: 'TOOL_CALL_START',
  piece: 'TOOL_CALL_ARGS',
  end: 'TOOL_CALL_END',
  agreed: ['toolCallName', 'parentMessageId'],
  opener: {},
  needs: ['toolCallName'],
};

const reasoning: ChunkKind = {
  chunk: 'REASONING_MESSAGE_CHUNK',
  noun: 'reasoning message',
  id: 'messageId',
  start: 'REASONING_MESSAGE_START',
  piece: 'REASONING_MESSAGE_CONTENT',
  end: 'REASONING_MESSAGE_END',
  agreed: [],
  opener: { role: 'reasoning' },
  needs: [],
};

const KINDS: ReadonlyMap<string, ChunkKind> = new Map(
  [text, tool, reasoning].map((kind) => [kind.chunk, kind]),
);

export const chunkKind = (type: string): ChunkKind | undefined => KINDS.get(type);
