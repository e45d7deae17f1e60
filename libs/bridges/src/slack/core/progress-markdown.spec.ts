/** Others' words where Slack reads Markdown. */
import fc from 'fast-check';
import { verifies } from '../../../../../test/spec/verifies.js';
import { asMarkdown, markdownChunks } from './progress-markdown.js';

describe('words in a stream', () => {
  verifies('BRG-149', 'are text, whatever they mean in Markdown', () => {
    const written = [
      ['**bold** _it_ `code` ~no~', '\\*\\*bold\\*\\* \\_it\\_ \\`code\\` \\~no\\~'],
      ['[Approve](https://evil.example)', '\\[Approve\\]\\(https://evil.example\\)'],
      ['<!channel> <@U0> &lt;', '&lt;\\!channel&gt; &lt;@U0&gt; &amp;lt;'],
      ['- a\n  + b\n1. c\nd - e 1.5', '\\- a\n  \\+ b\n1\\. c\nd - e 1.5'],
      ['# a\n> b\n![c](d)', '\\# a\n&gt; b\n\\!\\[c\\]\\(d\\)'],
    ] as const;
    expect(written.map(([text]) => asMarkdown(text))).toEqual(written.map(([, shown]) => shown));
  });

  verifies('BRG-149', 'begin as their beginning did, and come in pieces that part nothing', () => {
    const text = fc.array(fc.constantFrom('a', ' ', '\n', '-', '1', '.', '&', '\\', '[', '😀', '#'), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(text, fc.nat(60), fc.integer({ min: 10, max: 20 }), (pieces, part, most) => {
        const [whole, before] = [pieces.join(''), pieces.slice(0, part).join('')];
        const chunks = markdownChunks(whole, before, most);
        expect(asMarkdown(before) + chunks.join('')).toBe(asMarkdown(whole));
        for (const chunk of chunks) {
          expect(chunk.length).toBeLessThanOrEqual(most);
          expect(chunk).not.toMatch(/(?:^|[^\\])(?:\\\\)*\\$|&[a-z]{0,4}$|[\ud800-\udbff]$/u);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
