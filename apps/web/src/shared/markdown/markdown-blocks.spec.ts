/** Proves that growing text is cut into blocks that stay, and never shows half a mark. */
import fc from 'fast-check';
import { verifies } from '../../../../../test/spec/verifies.js';
import { closedForDisplay, markdownBlocks } from './markdown-blocks.js';

const LINES = [
  '',
  'Some text',
  '- item',
  '1. first',
  '   more',
  '```',
  '    code',
  '# Title',
  '| a | b |',
  '**bold',
];

describe('markdown blocks', () => {
  verifies('WEB-2', 'lists and fences span blank lines, paragraphs do not', () => {
    expect(markdownBlocks('a\n\nb')).toEqual(['a', 'b']);
    expect(markdownBlocks('1. a\n\n2. b\n\nc')).toEqual(['1. a\n\n2. b', 'c']);
    expect(markdownBlocks('```\na\n\nb\n```\nc')).toEqual(['```\na\n\nb\n```\nc']);
    expect(markdownBlocks('```\na\n\nb')).toEqual(['```\na\n\nb']);
  });

  verifies('WEB-2', 'when text grows by a line, all blocks but the last two stay as they were', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...LINES), { maxLength: 20 }),
        fc.constantFrom(...LINES),
        (lines, next) => {
          const before = markdownBlocks(lines.join('\n'));
          const after = markdownBlocks([...lines, next].join('\n'));
          const settled = before.slice(0, -1);
          expect(after.slice(0, settled.length)).toEqual(settled);
        },
      ),
    );
  });

  verifies('WEB-2', 'no text is lost between the blocks', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...LINES), { maxLength: 20 }), (lines) => {
        const words = (text: string) => text.split(/\s+/).filter(Boolean);
        expect(words(markdownBlocks(lines.join('\n')).join('\n'))).toEqual(words(lines.join('\n')));
      }),
    );
  });

  verifies('WEB-2', 'half a mark is closed or left out', () => {
    expect(closedForDisplay('So far a **bal')).toBe('So far a **bal**');
    expect(closedForDisplay('So far a **')).toBe('So far a ');
    expect(closedForDisplay('Use `cod')).toBe('Use `cod`');
    expect(closedForDisplay('See [the page](https://exam')).toBe('See the page');
    expect(closedForDisplay('done **and** dusted')).toBe('done **and** dusted');
  });
});
