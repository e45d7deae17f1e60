/** One text of the assistant: closed blocks stay as they are, only the last one grows. */
import { memo } from 'react';
import { MarkdownBlock } from './agent-markdown.js';
import { closedForDisplay, markdownBlocks } from './markdown-blocks.js';

export const MessageText = memo(({ text, streaming }: { text: string; streaming: boolean }) => {
  const blocks = markdownBlocks(text);
  return (
    <div className="prose" aria-busy={streaming || undefined} data-streaming={streaming || undefined}>
      {blocks.map((block, index) => (
        <MarkdownBlock
          // A block's place is its identity: text only grows at the end.
          key={index}
          text={streaming && index === blocks.length - 1 ? closedForDisplay(block) : block}
        />
      ))}
    </div>
  );
});
