/** Turns the bytes of a `text/event-stream` body into the texts of its events, within a bound. */
import { createParser } from 'eventsource-parser';
import { cut } from './agent-answer.js';
import type { AgentItem, AgentLimits, Cut } from './agent-answer.js';

/** The parser also counts the field name of the line it holds back. */
const FIELD_ALLOWANCE_CHARS = 16;

export interface SseFrames {
  /** The events that these bytes complete; a cut, if any, is the last item. */
  feed(bytes: Uint8Array): readonly AgentItem[];
  /** The body is over: what its last lines still were. */
  end(): readonly AgentItem[];
}

/** AGT-8: the whole grammar is read; only `data` means anything, as AG-UI says. */
export const sseFrames = (limits: AgentLimits): SseFrames => {
  // A replaced character would be another text than the agent sent, so bytes that are not UTF-8 are an error.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const events = eventTexts(limits);
  return {
    feed: (bytes) => {
      const text = decoded(() => decoder.decode(bytes, { stream: true }));
      if (text === undefined) events.stop(cut('hub/protocol-violation', 'the stream is not UTF-8'));
      else events.parse(text);
      return events.take();
    },
    end: () => {
      const rest = decoded(() => decoder.decode());
      if (rest === undefined) events.stop(cut('hub/upstream-truncated', 'the body ends inside a character'));
      else events.parse(`${rest}\n\n`);
      return events.take().map(asLast);
    },
  };
};

/** AGT-9: a body may end without the blank line, but not inside an event. */
const asLast = (item: AgentItem): AgentItem =>
  item.kind === 'cut' || isJson(item.text)
    ? item
    : cut('hub/upstream-truncated', 'the body ends inside an event');

const eventTexts = ({ maxEventBytes }: AgentLimits) => {
  let items: AgentItem[] = [];
  let over: Cut | undefined;
  const stop = (why: Cut): void => {
    if (!over) items.push(why);
    over ??= why;
  };
  const tooLarge = (): void => stop(cut('hub/too-large', `an event is larger than ${maxEventBytes} bytes`));
  const parser = createParser({
    maxBufferSize: maxEventBytes + FIELD_ALLOWANCE_CHARS,
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') tooLarge();
    },
    onEvent: ({ data }) => {
      if (over) return;
      if (isLonger(data, maxEventBytes)) tooLarge();
      else items.push({ kind: 'event', text: data });
    },
  });
  return {
    stop,
    parse: (text: string): void => {
      if (!over) parser.feed(text);
    },
    take: (): readonly AgentItem[] => {
      const taken = items;
      items = [];
      return taken;
    },
  };
};

const decoded = (decode: () => string): string | undefined => {
  try {
    return decode();
  } catch {
    return undefined;
  }
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** A UTF-16 unit is one to three bytes, so most texts need no count. */
const isLonger = (text: string, bytes: number): boolean =>
  text.length > bytes || (text.length * 3 > bytes && new TextEncoder().encode(text).length > bytes);
