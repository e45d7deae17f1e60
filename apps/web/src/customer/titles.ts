/** Remembers on this device what each conversation is called. */
import { readStored, writeStored } from '../shared/stored.js';

const KEY = 'triptych.titles';
/** The oldest names go first; they come back when the conversation is opened. */
const MAX_TITLES = 200;

const all = (): Record<string, string> => (readStored(KEY) as Record<string, string> | undefined) ?? {};

export const titleFor = (threadId: string): string | undefined => all()[threadId];

export const rememberTitle = (threadId: string, title: string | undefined): void => {
  const titles = all();
  if (title === undefined || titles[threadId] === title) return;
  const kept = Object.entries({ ...titles, [threadId]: title }).slice(-MAX_TITLES);
  writeStored(KEY, Object.fromEntries(kept));
};
