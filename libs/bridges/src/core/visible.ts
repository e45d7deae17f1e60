/** Shows characters that hide: what turns the reading direction, has no width or steers a terminal is written out. */

/** Line breaks and tabs are no trick; Hangul fillers and the empty braille cell look like nothing. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]/gu;

const writtenOut = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** As JSON would escape them, so that it may be used on the text of JSON. */
export const visible = (text: string): string => text.replaceAll('\r\n', '\n').replace(HIDDEN, writtenOut);
