/** Reads a thread's log page by page, for whoever needs more than the rings hold. */
import type { LogEntry, Surface, ThreadId } from '@triptych/protocol';
import { comparePlaces, type Place } from '../core/place.js';
import type { Fold, LogToFollow, Projection } from '../core/ports.js';
import type { Shown } from '../core/shown.js';
import { allTrimmed, asShown, tracksAt, tracksStep, type Track } from '../core/track.js';

/** Entries a read; keeps one reply of the store below a few megabytes and the event loop free between pages. */
export const PAGE_ENTRIES = 500;

export interface Page {
  readonly epoch: string;
  readonly entries: readonly LogEntry[];
}

/** All pages up to the head as it is when it is reached; none more once the log was trimmed past them. */
async function* pagesFrom(
  { log, thread }: Pick<ColdRead, 'log' | 'thread'>,
  begin: number,
): AsyncGenerator<Page | 'trimmed'> {
  let after = begin;
  for (;;) {
    const page = await log.read(thread, after, PAGE_ENTRIES);
    if (page.firstSeq > after + 1) return yield 'trimmed';
    yield page;
    after = page.entries.at(-1)?.seq ?? page.head;
    if (after >= page.head) return;
  }
}

interface ColdRead {
  readonly log: LogToFollow;
  readonly projection: Projection;
  readonly thread: ThreadId;
  readonly surface: Surface;
}

export interface Missed {
  readonly epoch: string;
  readonly shown: readonly Shown[];
}

/** What the surface was shown after `place`, up to about `bytes`, told anew from the log. */
export const shownAfterFromLog = async (
  read: ColdRead,
  place: Place,
  bytes: number,
): Promise<Missed | 'trimmed'> => {
  const { projection, surface } = read;
  // The entry of the place itself is told anew: it may have become several events.
  const start = await read.log.beginAt(read.thread, Math.max(0, place.seq - 1));
  if (start === 'trimmed') return start;
  const shown: Shown[] = [];
  let view = start.entries.reduce((at, entry) => projection.step(at, entry).view, projection.begin(surface));
  let size = 0;
  let { epoch } = start;
  for await (const page of pagesFrom(read, start.seq)) {
    if (page === 'trimmed') return page;
    epoch = page.epoch;
    for (const entry of page.entries) {
      const step = projection.step(view, entry);
      view = step.view;
      if (entry.seq < place.seq) continue;
      const fresh = asShown(entry, step.shown).filter((one) => comparePlaces(one, place) > 0);
      shown.push(...fresh);
      size += fresh.reduce((sum, one) => sum + one.json.length, 0);
      if (size >= bytes) return { epoch, shown };
    }
  }
  return { epoch, shown };
};

/** The surface as it was after the entry `seq`. */
export const trackAtFromLog = async (
  read: ColdRead & { readonly fold: Fold },
  seq: number,
): Promise<{ readonly epoch: string; readonly track: Track | undefined } | 'trimmed'> => {
  const start = await read.log.beginAt(read.thread, seq);
  if (start === 'trimmed') return start;
  let tracks = tracksAt([read.surface], read, start);
  let { epoch } = start;
  for await (const page of pagesFrom(read, start.seq)) {
    if (page === 'trimmed') return page;
    epoch = page.epoch;
    for (const entry of page.entries) {
      if (entry.seq > seq) return { epoch, track: tracks[read.surface] };
      tracks = tracksStep(tracks, entry, read);
    }
    tracks = allTrimmed(tracks);
  }
  return { epoch, track: tracks[read.surface] };
};
