/** Pages of a run: what a message says stays as more is said, and nothing of it is lost. */
import { shapeOf } from '@triptych/access';
import fc from 'fast-check';
import { verifies } from '../../../../../test/spec/verifies.js';
import { visible } from '../../core/visible.js';
import { MAX_WORDS, pagesOf, stepLines, type Page } from './page.js';
import { noProgress, nothingBefore, type RunProgress } from './run-progress.js';

const OPEN = { args: shapeOf(['']) };
const HIDING = { args: shapeOf([''], ['/iban']) };

const saying = (text: string, over: Partial<RunProgress> = {}): RunProgress => ({
  ...noProgress('r', nothingBefore()),
  begun: true,
  said: [{ id: 'm', text }],
  ...over,
});
const pages = (progress: RunProgress, pageChars = 40, destination = OPEN): readonly Page[] =>
  pagesOf(progress, { destination, pageChars });
const textOf = (all: readonly Page[]): string => all.map(({ text }) => text).join('');

describe('the pages of a run', () => {
  verifies('BRG-143', 'hold every word once, and do not change as more is said', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(' ', '\n', '\r', '\n\r', '😀', '\u202e'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.nat(), (pieces, where) => {
        const whole = pieces.join('');
        const part = whole.slice(0, where % (whole.length + 1));
        const [then, now] = [pages(saying(part)), pages(saying(whole, { end: 'success' }))];
        expect(textOf(now)).toBe(visible(whole));
        expect(now.every(({ text }) => text.length <= 40)).toBe(true);
        then.slice(0, -1).forEach((page, nth) => expect(page.text).toBe(now[nth]?.text));
        expect(textOf(now).startsWith(textOf(then))).toBe(true);
      }),
    );
  });

  verifies('BRG-143', 'end where words do, and say when there is more in the console', () => {
    expect(
      pages(saying('The refund of order 4711 was made, and the customer knows.')).map((p) => p.text),
    ).toEqual(['The refund of order 4711 was made, and ', 'the customer knows.']);
    const long = pages(saying('x'.repeat(MAX_WORDS + 1), { end: 'success' }), 9_000);
    expect(textOf(long)).toHaveLength(MAX_WORDS);
    expect(long.at(-1)?.standing).toBe('The run is over. There is more in the console.');
    expect(long.slice(0, -1).every(({ standing }) => standing === undefined)).toBe(true);
  });

  verifies('BRG-142', 'hold no words where the destination hides something, and say so', () => {
    const hidden = pages(saying('To CH93 0076.', { end: 'success' }), 40, HIDING);
    expect(hidden).toEqual([
      { steps: [], text: '', standing: 'The run is over. What the agent says is not shown here.' },
    ]);
    expect(pages(saying('', { end: 'failed' }), 40, HIDING)[0]?.standing).toBe('The run failed.');
  });

  verifies('BRG-143', 'name steps in lines of their own, in which nothing hides', () => {
    const titles = ['Pay\u202eed', 'two\nlines', 'x'.repeat(100)];
    const steps = titles.map((title, nth) => ({ id: `${nth}`, title, status: 'done' as const }));
    const [page] = pages(saying('', { steps }));
    expect(stepLines(page?.steps ?? [])).toEqual(['✓ Pay\\u202eed', '✓ two lines', `✓ ${'x'.repeat(79)}…`]);
    const many = Array.from({ length: 40 }, (_, nth) => ({
      id: `${nth}`,
      title: `${nth}`,
      status: 'left' as const,
    }));
    expect(stepLines(many)).toHaveLength(31);
  });

  verifies('BRG-141', 'are none before the run begins', () => {
    expect(pages(saying('x', { begun: false }))).toEqual([]);
    expect(pages(saying(''))).toEqual([{ steps: [], text: '', standing: 'The agent is at work.' }]);
  });
});
