/** Reads an attach stream as a browser's EventSource would: frames with their ids and names. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { AguiEvent } from '@triptych/protocol';

export interface Attached {
  readonly response: Response;
  readonly frames: readonly EventSourceMessage[];
  /** The id a browser would send when it comes back. */
  lastId(): string | undefined;
  events(): readonly AguiEvent[];
  /** Resolves when the stream is over, however that came about. */
  readonly over: Promise<void>;
  leave(): Promise<void>;
}

const read = async (response: Response, feed: (text: string) => void): Promise<void> => {
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) feed(decoder.decode(chunk, { stream: true }));
};

export const attach = async (url: string, headers: Readonly<Record<string, string>>): Promise<Attached> => {
  const away = new AbortController();
  const response = await fetch(url, { headers, signal: away.signal });
  const frames: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => void frames.push(message) });
  const over = read(response, (text) => parser.feed(text)).catch((error: unknown) => {
    if (!away.signal.aborted) throw error;
  });
  return {
    response,
    frames,
    over,
    lastId: () => frames.findLast(({ id }) => id !== undefined)?.id,
    events: () => frames.map(({ data }) => JSON.parse(data) as AguiEvent),
    leave: async () => {
      away.abort();
      await over;
    },
  };
};
