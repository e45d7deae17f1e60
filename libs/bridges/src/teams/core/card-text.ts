/** Makes foreign text harmless on a card: nothing in it is markup, nothing hides, nothing is longer than its room. */
import { visible } from '../../core/visible.js';

/** The one thing that a run of text still computes. */
const COMPUTED = /\{\{(?=(?:DATE|TIME)\()/gu;
const CUT = ' …';

/** As runs of a RichTextBlock show it, which know no Markdown. */
export const literal = (text: string): string =>
  visible(text).replaceAll('\t', '  ').replace(COMPUTED, '{ {');

/** What a character takes in the JSON of a card. */
const jsonBytes = (character: string): number =>
  new TextEncoder().encode(JSON.stringify(character)).length - 2;

export interface Fitted {
  readonly text: string;
  readonly isCut: boolean;
}

/** The longest beginning that takes so many bytes on the wire, whole characters only. */
export const fit = (text: string, maxBytes: number): Fitted => {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += jsonBytes(character);
    if (bytes > maxBytes) return { text: `${text.slice(0, end)}${CUT}`, isCut: true };
    end += character.length;
  }
  return { text, isCut: false };
};

/** Foreign text for one place of a card. */
export const shown = (text: string, maxBytes: number): Fitted => {
  // Cut before it is searched: a megabyte is not worth escaping for the sake of its beginning.
  const near = text.slice(0, maxBytes);
  const { text: fitted, isCut } = fit(literal(near), maxBytes);
  const dropped = near.length < text.length;
  return { text: dropped && !isCut ? `${fitted}${CUT}` : fitted, isCut: isCut || dropped };
};
