/** Decides what a follower hands on: every entry once, in order, from what is announced and what is read. */
import type { LogEntry } from '@triptych/protocol';
import type { Announcement } from './announcement.js';
import { type HeldBatch, type JoinBuffer, hold, joinFrom } from './join-buffer.js';
import type { Page } from './page.js';

export type Feed =
  | { readonly phase: 'live'; readonly epoch: string; readonly at: number }
  | {
      /** The log must be read from `at`; what is announced meanwhile is held. */
      readonly phase: 'behind';
      /** '' until the first page, and while there is no log. */
      readonly epoch: string;
      readonly at: number;
      /** The furthest seq known to exist. */
      readonly target: number;
      readonly held: JoinBuffer;
    }
  /** Over: the log is not the one that was followed. */
  | { readonly phase: 'rotated'; readonly epoch: string };

export type Behind = Extract<Feed, { phase: 'behind' }>;
export type Live = Extract<Feed, { phase: 'live' }>;

export interface Step {
  readonly feed: Feed;
  readonly deliver: readonly LogEntry[];
}

export interface LogPosition {
  readonly epoch: string;
  readonly head: number;
}

const stay = (feed: Feed): Step => ({ feed, deliver: [] });
const over = (epoch: string): Step => stay({ phase: 'rotated', epoch });

export const startFeed = (after: number): Behind => ({
  phase: 'behind',
  epoch: '',
  at: after,
  target: after,
  held: [],
});

const fallBehind = ({ epoch, at }: Live, target = at, held: JoinBuffer = []): Behind => ({
  phase: 'behind',
  epoch,
  at,
  target,
  held,
});

const hearWhileLive = (feed: Live, heard: Announcement): Step => {
  if (heard.kind === 'rotated') return stay(heard.epoch === feed.epoch ? feed : fallBehind(feed));
  if (heard.kind === 'pointer') return stay(heard.last <= feed.at ? feed : fallBehind(feed, heard.last));
  const { epoch, batch } = heard;
  if (batch.last <= feed.at) return stay(feed);
  if (batch.first > feed.at + 1) return stay(fallBehind(feed, batch.last, [{ epoch, batch }]));
  const { entries, at } = joinFrom(feed.at, [batch]);
  return { feed: { phase: 'live', epoch, at }, deliver: entries };
};

const hearWhileBehind = (feed: Behind, heard: Announcement): Step => {
  if (heard.kind === 'rotated') return stay(feed);
  if (heard.kind === 'pointer') return stay({ ...feed, target: Math.max(feed.target, heard.last) });
  const { epoch, batch } = heard;
  const target = Math.max(feed.target, batch.last);
  return stay({ ...feed, target, held: hold(feed.held, { epoch, batch }) });
};

/** An announcement came. */
export const hear = (feed: Feed, heard: Announcement): Step => {
  if (feed.phase === 'rotated') return stay(feed);
  if (feed.epoch !== '' && heard.epoch !== feed.epoch) return over(heard.epoch);
  return feed.phase === 'live' ? hearWhileLive(feed, heard) : hearWhileBehind(feed, heard);
};

const ofEpoch = (held: JoinBuffer, epoch: string): HeldBatch[] => held.filter((each) => each.epoch === epoch);

/** LOG-12: the log lacks what the reader has or was told of, so it is not the log that was followed. */
const wentBack = (feed: Behind, page: Page, asked: Behind): boolean =>
  page.head < asked.at ||
  page.head < asked.target ||
  page.firstSeq > feed.at + 1 ||
  (feed.epoch !== '' && page.epoch !== feed.epoch);

const join = (feed: Behind, page: Page): Step => {
  const held = ofEpoch(feed.held, page.epoch).map((each) => each.batch);
  const { entries, at, rest } = joinFrom(feed.at, [...page.batches, ...held]);
  const target = Math.max(feed.target, page.head);
  const next: Feed =
    at >= target
      ? { phase: 'live', epoch: page.epoch, at }
      : { ...feed, epoch: page.epoch, at, target, held: rest.map((batch) => ({ epoch: page.epoch, batch })) };
  return { feed: next, deliver: entries };
};

/** A page came that was asked for when the feed was `asked`. */
export const catchUp = (feed: Feed, page: Page, asked: Behind): Step => {
  if (feed.phase !== 'behind') return stay(feed);
  if (wentBack(feed, page, asked)) return over(page.epoch);
  // The log was made, or remade, while we joined: what is held belongs to another one than the page.
  const strangers = feed.held.some((each) => each.epoch !== page.epoch);
  if (feed.epoch === '' && strangers) return stay({ ...startFeed(feed.at), target: asked.target });
  return join(feed, page);
};

/** The log's position was looked up when the feed was `asked`: finds losses that nothing announced. */
export const compare = (feed: Feed, found: LogPosition, asked: Live | Behind): Step => {
  if (feed.phase === 'rotated') return stay(feed);
  if (asked.epoch !== '' && found.epoch !== asked.epoch) return over(found.epoch);
  if (found.head < asked.at) return over(found.epoch);
  if (found.head <= feed.at) return stay(feed);
  return stay(
    feed.phase === 'live'
      ? fallBehind(feed, found.head)
      : { ...feed, target: Math.max(feed.target, found.head) },
  );
};
