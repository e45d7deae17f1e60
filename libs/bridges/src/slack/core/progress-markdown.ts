/** Writes others' words for where Slack reads Markdown, so that they are shown letter by letter; more words change nothing of what was written. */

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Marks that mean something wherever they stand. */
const MARKS = /[\\`*_~[\]()!|#]/u;
/** Marks that make a list or a quote of a line that begins with them. */
const AT_LINE_START = /^[ \t]*[-+=]$/u;
const NUMBER_AT_LINE_START = /^[ \t]*\d+[.)]$/u;

const LINE_START = 12;

const escaped = (character: string, line: string): string => {
  const entity = ENTITIES[character];
  if (entity !== undefined) return entity;
  const isMark =
    MARKS.test(character) ||
    AT_LINE_START.test(line + character) ||
    NUMBER_AT_LINE_START.test(line + character);
  return isMark ? `\\${character}` : character;
};

/** Character by character; it looks at what stands before each alone, so that a text and its beginning are written alike. */
const unitsOf = (text: string): readonly string[] => {
  let line = '';
  return Array.from(text, (character) => {
    const unit = escaped(character, line);
    // A list or a quote begins with few characters, or not at all.
    line = character === '\n' ? '' : (line + character).slice(0, LINE_START);
    return unit;
  });
};

export const asMarkdown = (text: string): string => unitsOf(text).join('');

/** What is to be written after what was written of `before`, in pieces of at most so many characters. */
export const markdownChunks = (text: string, before: string, most: number): readonly string[] => {
  const chunks: string[] = [];
  let chunk = '';
  for (const unit of unitsOf(text).slice(Array.from(before).length)) {
    if (chunk.length + unit.length > most) {
      chunks.push(chunk);
      chunk = '';
    }
    chunk += unit;
  }
  return chunk === '' ? chunks : [...chunks, chunk];
};
