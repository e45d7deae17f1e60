/** What is told of a run under one card, as the next worker finds it. Times are Unix milliseconds. */
import { hashOf } from '../../core/print.js';
import type { Page } from './page.js';
import type { Act, Heard, Streamed } from './voice.js';

/** A page that is there. */
export interface ShownPage {
  readonly id: string;
  /** Of what it shows; '' when nobody knows. */
  readonly print: string;
  /** It grows as a stream: how far it came, and since when. */
  readonly stream?: {
    /** undefined: nobody knows how far. */
    readonly chars: number | undefined;
    readonly textPrint: string;
    readonly steps: Page['steps'];
    readonly chunks: number;
    readonly since: number;
  };
}

/** What is being done, or was when its worker died: until it is known what came of it, it may have been. */
export interface Doing {
  readonly act: 'post' | 'begin' | 'change' | 'add' | 'end';
  readonly nth: number;
  /** When it was begun. */
  readonly at: number;
}

export interface ProgressRecord {
  readonly runId: string;
  readonly pages: readonly ShownPage[];
  readonly doing?: Doing | undefined;
  /** Streams are of no use there. */
  readonly noStream?: true;
  /** What is told under the card of runs before this one. */
  readonly earlier: readonly string[];
  readonly failing?: { readonly since: number; readonly times: number } | undefined;
  /** The place asked for patience, or failed. */
  readonly notBefore?: number | undefined;
  /** Its end is told, or nothing of it will be any more. */
  readonly over?: true;
}

/** Messages of earlier runs that are remembered, so that none is taken for a lost one. */
const MAX_EARLIER = 100;
/** Whoever could not be told for so long is told no more. */
export const GIVE_UP_MS = 24 * 3_600_000;
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [1_000, 60_000];
/** A place that asks for more patience than this is asked again all the same. */
const MOST_PATIENCE_MS = 15 * 60_000;

export const newRecord = (runId: string, before?: ProgressRecord): ProgressRecord => ({
  runId,
  pages: [],
  earlier: [...(before?.earlier ?? []), ...(before?.pages ?? []).map(({ id }) => id)].slice(-MAX_EARLIER),
  ...(before?.noStream ? { noStream: true } : {}),
});

export const printOfPage = ({ steps, text, standing }: Page): string => hashOf(steps, text, standing);
export const keyOf = (runId: string, nth: number): string => hashOf(runId, nth);

const withPage = (record: ProgressRecord, nth: number, page: ShownPage): ProgressRecord => ({
  ...record,
  pages: Object.assign([...record.pages], { [nth]: page }),
});

/** Whoever does not know what came of it asks nothing of a stream but its end, and writes the page whole. */
const unknown = ({ id, stream }: ShownPage): ShownPage => ({
  id,
  print: '',
  ...(stream ? { stream: { ...stream, chars: undefined } } : {}),
});

/** As it is to be taken by whoever comes after a worker that died, or hears nothing. */
export const afterSilence = (record: ProgressRecord): ProgressRecord => {
  const { doing } = record;
  const page = doing && record.pages[doing.nth];
  if (!doing || doing.act === 'post' || doing.act === 'begin') return record;
  const { doing: _done, ...rest } = record;
  return page ? withPage(rest, doing.nth, unknown(page)) : rest;
};

/** To be kept before it is done. */
export const beginAct = (record: ProgressRecord, { act, nth, now }: Omit<Done, 'heard'>): ProgressRecord =>
  act.kind === 'find' ? record : { ...record, doing: { act: act.kind, nth, at: now } };

/** How far a stream came with this page. */
export const streamedOf = ({ stream }: ShownPage, { text }: Page): Streamed | undefined => {
  if (stream?.chars === undefined) return undefined;
  const sent = text.slice(0, stream.chars);
  if (hashOf(sent) !== stream.textPrint) return undefined;
  return { text: sent, steps: stream.steps, chunks: stream.chunks };
};

export interface Done {
  readonly act: Act;
  readonly nth: number;
  readonly heard: Heard;
  readonly now: number;
}

const grown = (page: Page, id: string, { chunks, since }: { chunks: number; since: number }): ShownPage => ({
  id,
  print: '',
  stream: { chars: page.text.length, textPrint: hashOf(page.text), steps: page.steps, chunks, since },
});

type Named = Extract<Act, { kind: 'post' | 'begin' | 'find' }>;
type Changed = Exclude<Act, Named>;

/** What now has a name. */
const arrived = (
  act: Named,
  id: string,
  { record, now }: { record: ProgressRecord; now: number },
): ShownPage => {
  switch (act.kind) {
    case 'post':
      return { id, print: printOfPage(act.page) };
    case 'begin':
      return grown(act.page, id, { chunks: 1, since: now });
    case 'find':
      return record.doing?.act === 'begin'
        ? { id, print: '', stream: { chars: undefined, textPrint: '', steps: [], chunks: 1, since: now } }
        : { id, print: '' };
  }
};

const changed = (act: Changed, { chunks, since }: { chunks: number; since: number }): ShownPage => {
  const { id, page } = act;
  switch (act.kind) {
    case 'change':
      return { id, print: printOfPage(page) };
    case 'add':
      return grown(page, id, { chunks: chunks + 1, since });
    case 'end':
      return { id, print: act.before ? printOfPage(page) : '' };
  }
};

const isNamed = (act: Act): act is Named =>
  act.kind === 'post' || act.kind === 'begin' || act.kind === 'find';

const carriedOut = (record: ProgressRecord, { act, nth, heard, now }: Done): ProgressRecord => {
  if (!isNamed(act))
    return withPage(record, nth, changed(act, record.pages[nth]?.stream ?? { chunks: 0, since: now }));
  const id = heard.kind === 'done' ? heard.id : undefined;
  return id === undefined ? record : withPage(record, nth, arrived(act, id, { record, now }));
};

/** The page is changed as a whole from now on. */
const streamless = (record: ProgressRecord, nth: number): ProgressRecord => {
  const page = record.pages[nth];
  return page ? withPage(record, nth, { id: page.id, print: '' }) : { ...record, noStream: true };
};

const waitAfter = (times: number): number =>
  Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(times - 1, 16));

const failed = (record: ProgressRecord, now: number): ProgressRecord => {
  const { since = now, times: before = 0 } = record.failing ?? {};
  if (now - since > GIVE_UP_MS) return { ...record, over: true };
  const times = before + 1;
  return { ...record, failing: { since, times }, notBefore: now + waitAfter(times) };
};

const withoutTrouble = (record: ProgressRecord): ProgressRecord => {
  const { doing: _doing, failing: _failing, notBefore: _notBefore, ...rest } = record;
  return rest;
};

export const afterAct = (record: ProgressRecord, done: Done): ProgressRecord => {
  const { heard, act, nth, now } = done;
  const { doing: _doing, ...undone } = record;
  switch (heard.kind) {
    case 'done':
      return withoutTrouble(carriedOut(record, done));
    case 'absent':
      return undone;
    case 'later': {
      const notBefore = now + Math.min(heard.retryAfterMs, MOST_PATIENCE_MS);
      // What is looked for may still be there.
      return { ...(act.kind === 'find' ? record : undone), notBefore };
    }
    case 'unsure':
      return failed(afterSilence(record), now);
    case 'failed':
      return failed(act.kind === 'find' ? record : undone, now);
    case 'no-stream':
      return streamless(undone, nth);
    case 'gone':
    case 'refused':
      return { ...undone, over: true };
  }
};
