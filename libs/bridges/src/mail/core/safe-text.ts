/** Makes text of others harmless in a letter: what cannot be seen is written out, what mail programs would turn into links stays words. */
import { visible } from '../../core/visible.js';

/** Scheme, or a dot between the parts of a host's or a file's name: mail programs link both by themselves. */
const SCHEME = /:(?=\/\/)/gu;
const NAME_DOT = /(?<=[\p{L}\p{N}])\.(?=\p{L})/gu;
const ELLIPSIS = '…';

/** By whole characters, so that none is cut in two. */
const cut = (text: string, most: number): string => {
  const characters = Array.from(text.slice(0, 2 * most + 2));
  return characters.length > most ? characters.slice(0, most).join('') + ELLIPSIS : text;
};

/** One line of at most so many characters of what was said. */
export const safeText = (text: string, most: number): string =>
  visible(cut(text, most).replace(/[\t\n\r]+/gu, ' '))
    .replace(SCHEME, '[:]')
    .replace(NAME_DOT, '[.]')
    .trim();

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/gu, (sign) => ENTITIES[sign] ?? '');
