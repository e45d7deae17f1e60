/** Makes text of others harmless in a letter: what cannot be seen is named, what mail programs would turn into links stays words. */

/** Controls, separators of lines, and all that programs show as nothing: marks of direction, joiners, selectors, fillers. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** Scheme, or a dot between the parts of a host's or a file's name: mail programs link both by themselves. */
const SCHEME = /:(?=\/\/)/gu;
const NAME_DOT = /(?<=[\p{L}\p{N}])\.(?=\p{L})/gu;
const ELLIPSIS = '…';

const named = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
};

/** By whole characters, so that none is cut in two. */
const cut = (text: string, most: number): string => {
  const characters = Array.from(text.slice(0, 2 * most + 2));
  return characters.length > most ? characters.slice(0, most).join('') + ELLIPSIS : text;
};

/** One line of at most so many characters of what was said. */
export const safeText = (text: string, most: number): string =>
  cut(text, most)
    .replace(/[\t\n\r]+/gu, ' ')
    .replace(INVISIBLE, named)
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
