/** Says what is to be done next so that a card's thread tells what there is to tell, and when. */
import type { Page } from './page.js';
import {
  keyOf,
  printOfPage,
  streamedOf,
  type Doing,
  type ProgressRecord,
  type ShownPage,
} from './progress-record.js';
import type { Act, VoiceTerms } from './voice.js';

export interface Telling {
  readonly pages: readonly Page[];
  /** The run has ended: there will be no other pages. */
  readonly over: boolean;
  readonly streams: boolean;
  readonly terms: VoiceTerms;
  /** When something was last sent there; at first, when its telling began. */
  readonly lastAt: number;
  readonly now: number;
  /** Runs that are told at the same time by this worker, this one among them. */
  readonly atOnce: number;
}

export type Next =
  | { readonly kind: 'act'; readonly act: Act; readonly nth: number }
  | { readonly kind: 'wait'; readonly untilMs: number }
  /** The place wants to be left alone for so long. */
  | { readonly kind: 'held'; readonly untilMs: number }
  /** All there is to tell is told. */
  | { readonly kind: 'rest' }
  | { readonly kind: 'over' };

/** However many there are, each is told this often. */
const MAX_GAP_MS = 30_000;

/** Limits are the workspace's, not the channel's: those who speak at once share them. */
export const gapOf = (baseMs: number, atOnce: number): number =>
  Math.min(Math.max(baseMs, MAX_GAP_MS), baseMs * Math.max(1, atOnce));

const isStale = ({ stream }: ShownPage, { now, terms }: Telling): boolean =>
  stream !== undefined && now - stream.since >= terms.streamMs;

const sameSteps = (a: Page['steps'], b: Page['steps']): boolean => JSON.stringify(a) === JSON.stringify(b);

interface PageAt {
  readonly last: boolean;
  readonly key: string;
}

const forStreamed = (shown: ShownPage, page: Page, telling: Telling & PageAt): Act | undefined => {
  const { id } = shown;
  const { key } = telling;
  const before = streamedOf(shown, page);
  const isWhole = !telling.last || telling.over;
  if (!before || isWhole || isStale(shown, telling)) return { kind: 'end', page, id, before, key };
  const isNews = page.text !== before.text || !sameSteps(page.steps, before.steps);
  return isNews ? { kind: 'add', page, id, before } : undefined;
};

/** Of a post that nobody can look for there may be two: it holds nothing that would be said twice. */
const wordless = ({ standing = '…' }: Page): Page => ({ steps: [], text: '', standing });

const forNew = (
  record: ProgressRecord,
  page: Page,
  { over, streams, last, key, terms }: Telling & PageAt,
): Act | undefined => {
  if (over || !streams || record.noStream || !last)
    return { kind: 'post', page: terms.canLook ? page : wordless(page), key };
  // A stream that is begun cannot take back what it said while there was nothing to say.
  if (page.text === '' && page.steps.length === 0) return undefined;
  return { kind: 'begin', page: terms.canLook ? page : { ...page, text: '' }, key };
};

const actFor = (record: ProgressRecord, nth: number, telling: Telling): Act | undefined => {
  const page = telling.pages[nth];
  const shown = record.pages[nth];
  if (!page) return undefined;
  const at = { last: nth === telling.pages.length - 1, key: keyOf(record.runId, nth) };
  if (!shown) return forNew(record, page, { ...telling, ...at });
  if (shown.stream) return forStreamed(shown, page, { ...telling, ...at });
  if (shown.print === printOfPage(page)) return undefined;
  return { kind: 'change', page, id: shown.id, key: at.key };
};

const gapBefore = ({ kind }: Act, { terms, atOnce }: Telling): number =>
  gapOf(kind === 'add' || kind === 'end' ? terms.addMs : terms.changeMs, atOnce);

/** What may have arrived, where nobody can ask whether it did: nothing more is posted before the end, and then once. */
const MAX_BLIND_POSTS = 2;

/** undefined: it goes on as if nothing had been begun. */
const afterUnknown = (record: ProgressRecord, { terms, over }: Telling): Next | undefined => {
  const { doing, failing } = record;
  if (!doing) return undefined;
  if (terms.canLook) return { kind: 'act', nth: doing.nth, act: findOf(record, doing) };
  if (doing.act !== 'post') return undefined;
  if (!over) return { kind: 'rest' };
  return (failing?.times ?? 0) >= MAX_BLIND_POSTS ? { kind: 'over' } : undefined;
};

const findOf = ({ runId, earlier, pages }: ProgressRecord, { nth, at }: Doing): Act => ({
  kind: 'find',
  key: keyOf(runId, nth),
  since: at,
  known: [...earlier, ...pages.map(({ id }) => id)],
});

/** The first page that is behind comes first: what is read is there in order. */
export const nextAct = (record: ProgressRecord, telling: Telling): Next => {
  if (record.over) return { kind: 'over' };
  const { notBefore = 0 } = record;
  if (notBefore > telling.now) return { kind: 'held', untilMs: notBefore };
  const first = afterUnknown(record, telling);
  if (first) return first;
  for (let nth = 0; nth < telling.pages.length; nth += 1) {
    const act = actFor(record, nth, telling);
    if (!act) continue;
    const at = telling.lastAt + gapBefore(act, telling);
    return at > telling.now ? { kind: 'wait', untilMs: at } : { kind: 'act', act, nth };
  }
  return telling.over ? { kind: 'over' } : { kind: 'rest' };
};
