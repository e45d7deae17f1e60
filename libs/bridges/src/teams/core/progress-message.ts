/** Writes a page of a run as messages of Teams: plain text, whole each time, and as the chunks of a stream. */
import { stepLines, type Page } from '../../progress/core/page.js';
import { textMessage } from './messages.js';

/** Of a message that only says what is going on. */
const MAX_INFORMATIVE = 1_000;

type StreamType = 'informative' | 'streaming' | 'final';

interface Chunk {
  readonly streamType: StreamType;
  /** Undefined: it begins the stream, and is what the stream is called after. */
  readonly streamId?: string;
  /** From 1; the last one has none. */
  readonly streamSequence?: number;
}

/** What the agent says comes first: a chunk begins with the text of the one before it, and so does the end. */
const wholeText = ({ text, steps, standing }: Page): string =>
  [text, stepLines(steps).join('\n'), standing ?? ''].filter((part) => part.trim() !== '').join('\n\n') ||
  '…';

export const progressMessage = (page: Page): object => textMessage(wholeText(page));

const streamInfo = (chunk: Chunk): object => ({ type: 'streaminfo', ...chunk });

/** While there are no words, the steps are what is going on: the newest of them. */
export const streamChunk = (
  page: Page,
  { streamId, streamSequence }: { readonly streamId?: string; readonly streamSequence: number },
): object => {
  const speaks = page.text !== '';
  const text = speaks ? page.text : (stepLines(page.steps).at(-1) ?? '…').slice(0, MAX_INFORMATIVE);
  const streamType = speaks ? 'streaming' : 'informative';
  const info = streamInfo({ streamType, streamSequence, ...(streamId === undefined ? {} : { streamId }) });
  return { ...textMessage(text), type: 'typing', entities: [info] };
};

export const streamEnd = (page: Page, streamId: string): object => ({
  ...progressMessage(page),
  entities: [streamInfo({ streamType: 'final', streamId })],
});
