/** Draws a page of a run as a Slack message in a card's thread: others' words letter by letter, as on the card. */
import type { AnyChunk, ContextBlock, KnownBlock, SectionBlock, TaskUpdateChunk } from '@slack/types';
import { stepLines, type Page } from '../../progress/core/page.js';
import type { Step } from '../../progress/core/run-progress.js';
import type { Streamed } from '../../progress/core/voice.js';
import type { Said } from './acts.js';
import { LIMITS } from './limits.js';
import { markdownChunks } from './progress-markdown.js';
import { fitted, plain } from './text.js';

const isHigh = (unit: string): boolean => /[\ud800-\udbff]/u.test(unit);

/** As many sections as the text needs, and whole characters in each. */
const piecesOf = (text: string): readonly string[] => {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const most = at + LIMITS.sectionText;
    const end = most < text.length && isHigh(text.charAt(most - 1)) ? most - 1 : most;
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
};

const section = (text: string): SectionBlock => ({ type: 'section', text: plain(text, LIMITS.sectionText) });

/** How the run stands, in our words. */
export const standingBlocks = ({ standing }: Page): readonly ContextBlock[] =>
  standing === undefined ? [] : [{ type: 'context', elements: [plain(standing, LIMITS.contextText)] }];

/** As Slack names how a task stands. */
const STATUSES = { running: 'in_progress', done: 'complete', failed: 'error', left: 'pending' } as const;
/** As a stream takes text at once. */
const MAX_CHUNK = 12_000;

const taskOf = ({ id, title, status }: Step): TaskUpdateChunk => ({
  type: 'task_update',
  id,
  title,
  status: STATUSES[status],
});

/** What a stream is to be told, of which so much was told before. */
export const progressChunks = (page: Page, before?: Pick<Streamed, 'text' | 'steps'>): AnyChunk[] => {
  const told = new Map(before?.steps.map((step) => [step.id, step]));
  const isNews = ({ id, title, status }: Step): boolean =>
    told.get(id)?.status !== status || told.get(id)?.title !== title;
  const words = markdownChunks(page.text, before?.text ?? '', MAX_CHUNK);
  return [
    ...page.steps.filter(isNews).map(taskOf),
    ...words.map((text) => ({ type: 'markdown_text' as const, text })),
  ];
};

export const progressMessage = (page: Page): Said => {
  const lines = stepLines(page.steps);
  const words = page.text.trim() === '' ? [] : piecesOf(page.text);
  const blocks: readonly KnownBlock[] = [
    ...(lines.length === 0 ? [] : [section(lines.join('\n'))]),
    ...words.map(section),
    ...standingBlocks(page),
  ];
  return { text: fitted(page.standing ?? page.text, LIMITS.fallbackText).text || ' ', blocks };
};
