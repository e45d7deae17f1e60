/** The words of a message as plain text, and the line a conversation is called by. */

type Part = { readonly type: string; readonly text?: string };

/** Anything else than text is named by `attachment`, not shown. */
export const textOf = (content: unknown, attachment: string): string => {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: Part) => (part.type === 'text' ? (part.text ?? '') : `[${attachment}]`))
    .join('\n');
};

const TITLE_LENGTH = 64;

/** WEB-18: a conversation is called by what was said first. */
export const titleFrom = (said: string): string | undefined => {
  const line = said.split('\n')[0]?.trim() ?? '';
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH).trimEnd()}…` : line || undefined;
};
