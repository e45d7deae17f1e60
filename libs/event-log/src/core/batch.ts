/** One stored append: the seqs it covers and their events; the seqs of a void were lost and have none. */
import type { AguiEvent, LogEntry, Source } from '@triptych/protocol';

export interface Batch {
  readonly first: number;
  readonly last: number;
  readonly entries: readonly LogEntry[];
}

/** How sources are written in the store. */
export const SOURCE_LETTER: Readonly<Record<Source, string>> = { agent: 'a', hub: 'h' };

const SOURCE_OF: Readonly<Record<string, Source>> = { a: 'agent', h: 'hub' };
const RAW = 'r';

export const sourceOf = (letter: string): Source => {
  const source = SOURCE_OF[letter];
  if (source === undefined) throw new Error(`The log holds an event of an unknown source: ${letter}`);
  return source;
};

export interface StoredText {
  readonly source: Source;
  readonly json: string;
  readonly raw?: string;
}

/** Gives stored texts their seqs. */
export const batchFrom = (first: number, at: number, texts: readonly StoredText[]): Batch => ({
  first,
  last: first + texts.length - 1,
  entries: texts.map((text, index) => ({
    ...text,
    seq: first + index,
    at,
    event: JSON.parse(text.json) as AguiEvent,
  })),
});

/** Reads the fields of a stream entry: `n`, `t`, then `a` or `h` with the text of an event, and `r` with its raw text. */
export const batchOfEntry = (id: string, fields: readonly string[]): Batch => {
  const last = Number.parseInt(id, 10);
  const covers = Number(fields[1]);
  const texts: StoredText[] = [];
  for (let at = 4; at < fields.length; at += 2) {
    const name = fields[at] ?? '';
    const value = fields[at + 1] ?? '';
    if (name === 'v') return { first: last - covers + 1, last, entries: [] };
    const previous = texts.at(-1);
    if (name === RAW && previous !== undefined) texts[texts.length - 1] = { ...previous, raw: value };
    else texts.push({ source: sourceOf(name), json: value });
  }
  return batchFrom(last - covers + 1, Number(fields[3]), texts);
};

/** What of it comes after a seq. */
export const entriesAfter = (batch: Batch, after: number): readonly LogEntry[] =>
  batch.first > after ? batch.entries : batch.entries.filter((entry) => entry.seq > after);
