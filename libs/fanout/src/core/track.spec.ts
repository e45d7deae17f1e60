/** Proves what a ring keeps and what a position is worth against it. */
import type { LogEntry } from '@triptych/protocol';
import fc from 'fast-check';
import { verifies } from '../../../../test/spec/verifies.js';
import { fold, note, projection, secret, split } from '../../test/story.js';
import { afterEntry, LAST_INDEX, START, type Place } from './place.js';
import {
  EMPTY_RING,
  findPlace,
  headOf,
  pushShown,
  RING_EVENTS,
  shownAfter,
  trimRing,
  type Ring,
} from './ring.js';
import type { Shown } from './shown.js';
import {
  newTracks,
  planFromPlace,
  planRecovery,
  trackHead,
  tracksStep,
  trackTrimmed,
  type Track,
} from './track.js';

const shown = (seq: number, index = 0, json = `{"n":${seq}}`): Shown => ({
  seq,
  index,
  type: 'CUSTOM',
  json,
  at: 0,
  source: 'agent',
});
const held = (ring: Ring): readonly Place[] =>
  shownAfter(ring, ring.before).map(({ seq, index }) => ({ seq, index }));

describe('ring', () => {
  verifies('FAN-5', 'keeps the latest, bounded by count and by bytes', () => {
    let ring = EMPTY_RING;
    for (let seq = 1; seq <= RING_EVENTS + 10; seq += 1) ring = pushShown(ring, [shown(seq)]);
    ring = trimRing(ring, headOf(ring));
    expect(held(ring)).toHaveLength(RING_EVENTS);
    expect(ring.before).toEqual({ seq: 10, index: 0 });
    ring = trimRing(ring, headOf(ring), 200);
    expect(ring.bytes).toBeLessThanOrEqual(200);
    expect(held(ring).at(-1)).toEqual({ seq: RING_EVENTS + 10, index: 0 });
  });

  verifies('FAN-6', 'never lets go of what was not offered to anyone yet', () => {
    const big = 'x'.repeat(3 * 1024 * 1024);
    const ring = pushShown(pushShown(EMPTY_RING, [shown(1)]), [shown(2, 0, big), shown(3, 0, big)]);
    expect(held(trimRing(ring, { seq: 1, index: 0 }))).toEqual([
      { seq: 2, index: 0 },
      { seq: 3, index: 0 },
    ]);
  });

  verifies('FAN-6', 'is a value: what was kept of an older one stays as it was', () => {
    const places = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 60 });
    fc.assert(
      fc.property(places, fc.nat({ max: 400 }), (counts, bytes) => {
        let ring = EMPTY_RING;
        const kept: { ring: Ring; want: readonly Place[] }[] = [];
        counts.forEach((count, nth) => {
          const base = kept.length > 3 && nth % 4 === 0 ? kept[nth % kept.length]!.ring : ring;
          const events = Array.from({ length: count }, (_, index) => shown(headOf(base).seq + 1, index));
          ring = trimRing(pushShown(base, events), headOf(base), bytes);
          kept.push({ ring, want: held(ring) });
        });
        for (const each of kept) expect(held(each.ring)).toEqual(each.want);
      }),
    );
  });

  verifies('FAN-5', 'finds a place it holds, by numbers, and no other', () => {
    const ring = pushShown(EMPTY_RING, [shown(9), shown(10), shown(10, 1), shown(12)]);
    expect(findPlace(ring, { seq: 9, index: 0 })).toMatchObject({ seq: 9 });
    expect(findPlace(ring, { seq: 10, index: 1 })).toMatchObject({ seq: 10, index: 1 });
    expect(findPlace(ring, { seq: 11, index: 0 })).toBeUndefined();
    expect(findPlace(ring, { seq: 10, index: 7 })).toBeUndefined();
    expect(findPlace(ring, afterEntry(11))).toMatchObject({ seq: 10, index: 1 });
    expect(findPlace(ring, { seq: 12, index: LAST_INDEX })).toMatchObject({ seq: 12 });
    expect(findPlace(ring, START)).toEqual(START);
    expect(shownAfter(ring, { seq: 9, index: 0 }).map(({ seq }) => seq)).toEqual([10, 10, 12]);
  });
});

const entries = (events: readonly ReturnType<typeof note>[]): readonly LogEntry[] =>
  events.map((event, nth) => ({ seq: nth + 1, at: 0, source: 'agent', event, json: JSON.stringify(event) }));

const customerAfter = (events: readonly ReturnType<typeof note>[]): Track =>
  entries(events).reduce(
    (tracks, entry) => tracksStep(tracks, entry, { projection, fold }),
    newTracks(['customer'], { projection, fold }),
  ).customer!;

const against = { epoch: 'aaaaaaaa', policyMark: 'p1' };
const at = (seq: number, index = 0, over = {}) => ({ ...against, place: { seq, index }, ...over });

describe('recovery', () => {
  const track = customerAfter([note(1), secret(2), split(3), note(4)]);

  verifies('FAN-5', 'a position inside the ring is a replay, at the head nothing', () => {
    expect(planRecovery(track, at(1), against)).toEqual({ kind: 'replay', after: { seq: 1, index: 0 } });
    expect(planRecovery(track, at(3, 1), against)).toEqual({ kind: 'replay', after: { seq: 3, index: 1 } });
    expect(planRecovery(track, at(4), against)).toMatchObject({ kind: 'current' });
  });

  verifies('FAN-5', 'every other position is a snapshot, each with its reason', () => {
    expect(planRecovery(track, undefined, against)).toEqual({ kind: 'snapshot', reason: 'join' });
    expect(planRecovery(track, 'unusable', against)).toEqual({ kind: 'snapshot', reason: 'reset' });
    expect(planRecovery(track, at(1, 0, { epoch: 'bbbbbbbb' }), against)).toMatchObject({ reason: 'reset' });
    expect(planRecovery(track, at(1, 0, { policyMark: 'p2' }), against)).toMatchObject({ reason: 'policy' });
    expect(planRecovery(track, at(99), against)).toMatchObject({ reason: 'reset' });
    expect(planRecovery(track, at(2), against)).toMatchObject({ kind: 'snapshot' });
    const trimmed = trackTrimmed(track, trackHead(track), 10);
    expect(planRecovery(trimmed, at(1), against)).toEqual({ kind: 'snapshot', reason: 'trimmed' });
  });

  verifies('FAN-4', 'from nothing everything is replayed, whatever the epoch and the policy', () => {
    const nothing = at(0, 0, { epoch: 'bbbbbbbb', policyMark: 'p2' });
    expect(planRecovery(track, nothing, against)).toEqual({ kind: 'replay', after: START });
  });

  verifies('FAN-17', 'nobody is led across the end of a run that an operator closed', () => {
    const closing = { type: 'RUN_ERROR', message: 'Closed.', code: 'hub/closed-by-operator' };
    const all = entries([note(1), closing, note(2)]).map((entry) => ({ ...entry, source: 'hub' as const }));
    const closed = all.reduce(
      (tracks, entry) => tracksStep(tracks, entry, { projection, fold }),
      newTracks(['reviewer'], { projection, fold }),
    ).reviewer!;
    expect(planFromPlace(closed, { seq: 1, index: 0 })).toEqual({ kind: 'snapshot', reason: 'reset' });
    expect(planFromPlace(closed, { seq: 2, index: 0 })).toMatchObject({ kind: 'replay' });
  });
});
