/** Shows characters that hide: what turns the reading direction, has no width or steers a terminal is written out. */

/** Line breaks, tabs and the sign that makes a picture of a character are no trick; the empty braille cell looks like nothing. */
const HIDDEN = /(?!\n|\t|\u{fe0f})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

const writtenOut = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** As JSON would escape them, so that it may be used on the text of JSON; wherever text of others is shown, it is shown so. */
export const visible = (text: string): string => text.replaceAll('\r\n', '\n').replace(HIDDEN, writtenOut);
