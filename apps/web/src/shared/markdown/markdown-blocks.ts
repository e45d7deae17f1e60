/** Splits growing Markdown into blocks, so that only the last one is parsed anew with each delta. */

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LIST_ITEM = /^ {0,3}([-*+]|\d{1,9}[.)])\s/;
const INDENTED = /^( {2,}|\t)/;

/** A blank line ends a block, unless a fence is open or a list goes on after it. */
export const markdownBlocks = (text: string): readonly string[] => {
  const blocks: string[] = [];
  let current: string[] = [];
  let fence: string | undefined;
  let list = false;
  const lines = text.split('\n');
  const flush = () => {
    if (current.some((line) => line.trim() !== '')) blocks.push(current.join('\n').trimEnd());
    current = [];
    list = false;
  };
  lines.forEach((line, index) => {
    const mark = FENCE.exec(line)?.[1];
    if (fence === undefined && line.trim() === '' && !(list && continuesList(lines, index))) return flush();
    if (mark !== undefined) fence = nextFence(fence, mark);
    if (current.length === 0 && LIST_ITEM.test(line)) list = true;
    current.push(line);
  });
  flush();
  return blocks;
};

const nextFence = (open: string | undefined, mark: string): string | undefined => {
  if (open === undefined) return mark;
  return mark[0] === open[0] && mark.length >= open.length ? undefined : open;
};

const continuesList = (lines: readonly string[], blankAt: number): boolean => {
  const next = lines.slice(blankAt + 1).find((line) => line.trim() !== '');
  return next !== undefined && (LIST_ITEM.test(next) || INDENTED.test(next));
};

const MARKS = ['**', '__', '~~'] as const;

const countOf = (text: string, mark: string): number => text.split(mark).length - 1;

/** Closes what an unfinished block has open, so that half a bold word does not show its stars. */
export const closedForDisplay = (block: string): string => {
  if (FENCE.test(block)) return block;
  let text = block.replace(/!?\[[^\]\n]*\]\([^)\n]*$/, (open) => open.replace(/^!?\[([^\]]*)\].*$/, '$1'));
  text = text.replace(/(\*{1,2}|_{1,2}|~~|`)$/, (mark) => (countOf(text, mark) % 2 === 1 ? '' : mark));
  if (countOf(text, '`') % 2 === 1) return `${text}\``;
  for (const mark of MARKS) if (countOf(text, mark) % 2 === 1) text = text.trimEnd() + mark;
  return text;
};
