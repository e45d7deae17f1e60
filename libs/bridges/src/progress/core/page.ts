/** Lays out what there is to tell of a run as pages, each a message: what one says stays as more is said. */
import type { Destination } from '../../core/destination.js';
import { visible } from '../../core/visible.js';
import { wordsOf, type RunProgress, type Step } from './run-progress.js';

export interface Page {
  /** Of the first page alone. */
  readonly steps: readonly Step[];
  /** What the agent says, as text in which nothing hides; no markup. */
  readonly text: string;
  /** Of the last page alone: how the run stands, in our words. */
  readonly standing?: string;
}

/** What is said beyond it is left to the console. */
export const MAX_WORDS = 60_000;
/** Steps that a message names as lines: the newest. */
export const SHOWN_STEPS = 30;
const MAX_TITLE = 80;
/** A page may end so much sooner, where words do. */
const RAGGED = 0.4;

const WORDS = {
  running: 'The agent is at work.',
  success: 'The run is over.',
  interrupt: 'The agent asks again.',
  cancelled: 'The run was cancelled.',
  failed: 'The run failed.',
} as const;

const isHigh = (unit: string): boolean => /[\ud800-\udbff]/u.test(unit);

/** Of a text that goes on, the last unit may be half of something. */
const settledPart = (text: string, over: boolean): string =>
  !over && (text.endsWith('\r') || isHigh(text.slice(-1))) ? text.slice(0, -1) : text;

/** Where the first page of it ends: more text behind it does not change that. */
const endOfPage = (text: string, most: number): number => {
  const least = Math.floor(most * (1 - RAGGED));
  const at = Math.max(text.lastIndexOf('\n', most - 1), text.lastIndexOf(' ', most - 1));
  if (at >= least) return at + 1;
  return isHigh(text.charAt(most - 1)) ? most - 1 : most;
};

const textPages = (text: string, most: number): readonly string[] => {
  const pages: string[] = [];
  let rest = text;
  while (rest.length > most) {
    const end = endOfPage(rest, most);
    pages.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...pages, rest];
};

const shownStep = (step: Step): Step => {
  const title = visible(step.title).replaceAll('\n', ' ');
  return { ...step, title: title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE - 1)}…` : title };
};

/** Nobody can tell whether an agent's words repeat what a destination hides. */
export const showsWords = ({ args }: Pick<Destination, 'args'>): boolean => args.whole;

export interface Layout {
  readonly destination: Pick<Destination, 'args'>;
  /** UTF-16 units of text that a page takes. */
  readonly pageChars: number;
}

const standingOf = ({ end }: RunProgress, { cut, unsaid }: { cut: boolean; unsaid: boolean }): string =>
  [
    WORDS[end ?? 'running'],
    ...(unsaid ? ['What the agent says is not shown here.'] : []),
    ...(cut ? ['There is more in the console.'] : []),
  ].join(' ');

/** Empty while the run has not begun. */
export const pagesOf = (progress: RunProgress, { destination, pageChars }: Layout): readonly Page[] => {
  if (!progress.begun) return [];
  const said = wordsOf(progress);
  const unsaid = !showsWords(destination) && said !== '';
  const words = unsaid ? '' : settledPart(said, progress.end !== undefined);
  const cut = words.length > MAX_WORDS;
  const texts = textPages(visible(settledPart(words.slice(0, MAX_WORDS), !cut)), pageChars);
  return texts.map((text, nth) => ({
    steps: nth === 0 ? progress.steps.map(shownStep) : [],
    text,
    ...(nth === texts.length - 1 ? { standing: standingOf(progress, { cut, unsaid }) } : {}),
  }));
};

const MARKS = { running: '…', done: '✓', failed: '✗', left: '–' } as const;

/** Steps as lines of plain text, for a message that is changed as a whole. */
export const stepLines = (steps: readonly Step[]): readonly string[] => [
  ...(steps.length > SHOWN_STEPS ? ['… what came before is not shown'] : []),
  ...steps.slice(-SHOWN_STEPS).map(({ title, status }) => `${MARKS[status]} ${title}`),
];
