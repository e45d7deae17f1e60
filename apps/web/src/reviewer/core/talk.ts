/** The conversation around a task, as lines of who said what. */
import type { Model } from '@triptych/protocol';

export interface TalkLine {
  readonly id: string;
  readonly who: 'customer' | 'assistant';
  readonly text: string;
}

/** Enough to see what led to the question. */
export const NEAR_LINES = 4;

const plain = (content: unknown): string => {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: { type?: string; text?: string }) =>
      part.type === 'text' ? (part.text ?? '') : `[${part.type}]`,
    )
    .join('\n');
};

export const talkOf = (model: Model): readonly TalkLine[] =>
  model.messages.flatMap((message) => {
    if (message.role !== 'user' && message.role !== 'assistant') return [];
    const text = plain(message.content).trim();
    return text === ''
      ? []
      : [
          {
            id: message.id,
            who: message.role === 'user' ? ('customer' as const) : ('assistant' as const),
            text,
          },
        ];
  });
