/** Writes the letter about a task: the same words as plain text and as HTML, and one link to the place where it is decided. */
import { createHash } from 'node:crypto';
import type { Notice } from '../../core/bridge.js';
import { letterRows, subjectMatter, type Row } from './letter-rows.js';
import { escapeHtml } from './safe-text.js';

export type Occasion = 'created' | 'escalated' | 'decided' | 'expired';

export interface LetterAbout extends Pick<Notice, 'noticeId' | 'changeId' | 'task' | 'names' | 'link'> {
  readonly what: Occasion;
}

export interface Letter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same whenever this letter is written, so that a server or a reader that knows it shows it once. */
  readonly messageId: string;
  /** All letters about a task hang together. */
  readonly inReplyTo?: string;
}

const OPENINGS: Readonly<Record<Occasion, string>> = {
  created: 'Waiting for a decision',
  escalated: 'Overdue: still waiting for a decision',
  // Without a decision it was replaced by another question.
  decided: 'No longer asked',
  expired: 'Nobody decided in time',
};

const openingOf = ({ what, task }: LetterAbout): string => {
  if (what !== 'decided') return OPENINGS[what];
  return task.decision ? `Decided: ${task.decision.kind}` : OPENINGS.decided;
};

/** The first letter is the one that all others answer, so its name is that of the task at this address. */
const nameOf = (id: string, domain: string): string =>
  `<tt.${createHash('sha256').update(id).digest('hex').slice(0, 40)}@${domain}>`;

/** Whoever opens it decides nothing yet: programs open links before people do. */
const INVITATION = 'Open it to read all of it; whoever may decide it, decides it there:';

const textOf = (opening: string, rows: readonly Row[], link: string): string =>
  [opening, '', ...rows.map(({ label, value }) => `${label}: ${value}`), '', INVITATION, link, ''].join('\n');

const htmlRow = ({ label, value }: Row): string =>
  `<tr><th align="left" valign="top">${escapeHtml(label)}</th><td><bdi>${escapeHtml(value)}</bdi></td></tr>`;

const htmlOf = (opening: string, rows: readonly Row[], link: string): string =>
  [
    `<!doctype html><html lang="en"><meta charset="utf-8"><body>`,
    `<h1 style="font-size:1.2em">${escapeHtml(opening)}</h1>`,
    `<table cellpadding="4">${rows.map(htmlRow).join('')}</table>`,
    `<p>${INVITATION}<br><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`,
    `</body></html>`,
  ].join('\n');

export const letterFor = (about: LetterAbout): Letter => {
  const { task, noticeId, changeId, names, link } = about;
  const opening = openingOf(about);
  const rows = letterRows(task, names);
  const { hostname } = new URL(link);
  const first = nameOf(noticeId, hostname);
  const begins = about.what === 'created';
  return {
    subject: `${opening} · ${subjectMatter(task)}`,
    text: textOf(opening, rows, link),
    html: htmlOf(opening, rows, link),
    messageId: begins ? first : nameOf(changeId, hostname),
    ...(begins ? {} : { inReplyTo: first }),
  };
};
