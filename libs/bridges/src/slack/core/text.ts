/** Puts what others said into Slack's text so that it is read as they wrote it: no markup, no mention, no link, nothing hidden. */
import type { MrkdwnElement, PlainTextElement } from '@slack/types';
import { visible } from '../../core/visible.js';

const CUT = '…';

/** At most so many UTF-16 units, whole characters. */
export const cut = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const end = most - CUT.length;
  const broken = /[\ud800-\udbff]/u.test(text.charAt(end - 1));
  return text.slice(0, broken ? end - 1 : end) + CUT;
};

/** BRG-31: others' words are plain text, which Slack shows letter by letter. */
export const plain = (text: string, most: number): PlainTextElement => ({
  type: 'plain_text',
  text: cut(visible(text), most) || ' ',
  emoji: false,
});

/** Our own words, with what is left of others' in them neutralised by {@link literal}. */
export const marked = (text: string): MrkdwnElement => ({ type: 'mrkdwn', text, verbatim: true });

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const entity = (character: string): string => ENTITIES[character] ?? character;

/** For where Slack reads markup: what it would take for a mention or a link is text. */
export const literal = (text: string): string => visible(text).replace(/[&<>]/gu, entity);

/** As much of a text as has, once it is literal, at most so many characters; never half a character. */
export const fitted = (text: string, most: number): { readonly text: string; readonly whole: boolean } => {
  let fits = '';
  // What is not even looked at would not fit anyway.
  for (const character of text.slice(0, most + 1)) {
    const next = entity(character);
    if (fits.length + next.length > most) return { text: fits, whole: false };
    fits += next;
  }
  return { text: fits, whole: text.length <= most + 1 };
};
