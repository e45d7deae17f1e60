/** Folds a log into what one surface of a thread was shown, and plans how a reader gets there. */
import type {
  AguiEvent,
  LogEntry,
  Seen,
  SeenBy,
  SnapshotReason,
  Surface,
  ToldEntry,
} from '@triptych/protocol';
import { comparePlaces, samePlace, START, type Place } from './place.js';
import type { Fold, LogStart, Projection } from './ports.js';
import type { OpenedPosition } from './position.js';
import { EMPTY_RING, findPlace, headOf, pushShown, shownAfter, trimRing, type Ring } from './ring.js';
import type { Shown } from './shown.js';

export interface Track {
  readonly surface: Surface;
  /** The last entry folded. */
  readonly seq: number;
  readonly view: unknown;
  readonly model: unknown;
  readonly ring: Ring;
  /** What the surface got of the last entry. */
  readonly seen: Seen;
  /** The operator's, when it knows from the beginning what the others got. */
  readonly seesOthers?: true;
}

export type Tracks = Readonly<Partial<Record<Surface, Track>>>;

/** The two rules of a surface: what it is shown, and what that adds up to. */
export interface Lens {
  readonly projection: Projection;
  readonly fold: Fold;
}

const newTrack = (surface: Surface, lens: Lens): Track => ({
  surface,
  seq: 0,
  view: lens.projection.begin(surface),
  model: lens.fold.empty(),
  ring: EMPTY_RING,
  seen: 'hidden',
});

export const newTracks = (surfaces: readonly Surface[], lens: Lens): Tracks => {
  const tracks = Object.fromEntries(surfaces.map((surface) => [surface, newTrack(surface, lens)])) as Tracks;
  const { customer, reviewer, operator } = tracks;
  if (customer === undefined || reviewer === undefined || operator === undefined) return tracks;
  return { customer, reviewer, operator: { ...operator, seesOthers: true } };
};

/** An entry of a snapshot may stand for several: it is folded, and never handed on. */
const trackTold = (track: Track, entry: ToldEntry, { projection, fold }: Lens): Track => {
  const { view, shown, seen } = projection.step(track.view, entry);
  const before = shown.length === 0 ? track.ring.before : { seq: entry.seq, index: shown.length - 1 };
  const model = shown.reduce((sum, event) => fold.step(sum, event), track.model);
  return { ...track, seq: entry.seq, view, model, ring: { ...EMPTY_RING, before }, seen };
};

/** The tracks of a log that is begun somewhere: its readers stand where those stand who were always there. */
export const tracksAt = (surfaces: readonly Surface[], lens: Lens, { seq, entries }: LogStart): Tracks =>
  Object.fromEntries(
    Object.entries(newTracks(surfaces, lens)).map(([surface, track]) => [
      surface,
      { ...entries.reduce((at, entry) => trackTold(at, entry, lens), track), seq },
    ]),
  );

/** An end written by an operator clears no question in clients; only a snapshot does. */
const resetsClients = (entry: LogEntry, event: AguiEvent): boolean =>
  entry.source === 'hub' && event.type === 'RUN_ERROR' && event['code'] === 'hub/closed-by-operator';

export const asShown = (entry: LogEntry, events: readonly AguiEvent[], seen?: SeenBy): readonly Shown[] =>
  events.map((event, index) => ({
    seq: entry.seq,
    index,
    type: event.type,
    json: event === entry.event ? entry.json : JSON.stringify(event),
    at: entry.at,
    source: entry.source,
    ...(seen === undefined ? {} : { seen }),
    ...(resetsClients(entry, event) ? { resets: true } : {}),
  }));

/** `seen` is what the two other surfaces got of the entry, where it is known. */
const trackStep = (track: Track, entry: LogEntry, { lens, seen }: { lens: Lens; seen?: SeenBy }): Track => {
  const step = lens.projection.step(track.view, entry);
  return {
    ...track,
    seq: entry.seq,
    view: step.view,
    model: step.shown.reduce((model, event) => lens.fold.step(model, event), track.model),
    ring: pushShown(track.ring, asShown(entry, step.shown, seen)),
    seen: step.seen,
  };
};

/** One entry through the surfaces at hand; all of them stand at the same seq. */
export const tracksStep = (tracks: Tracks, entry: LogEntry, lens: Lens): Tracks => {
  const customer = tracks.customer && trackStep(tracks.customer, entry, { lens });
  const reviewer = tracks.reviewer && trackStep(tracks.reviewer, entry, { lens });
  const seen = customer && reviewer && { customer: customer.seen, reviewer: reviewer.seen };
  const operator = tracks.operator && trackStep(tracks.operator, entry, { lens, ...(seen && { seen }) });
  return { ...(customer && { customer }), ...(reviewer && { reviewer }), ...(operator && { operator }) };
};

/** Lets go of what the rings need not hold any more. */
export const trackTrimmed = (track: Track, keepAfter: Place, bytes?: number): Track => {
  const ring = trimRing(track.ring, keepAfter, bytes);
  return ring === track.ring ? track : { ...track, ring };
};

/** For tracks that nobody reads yet: everything shown may fall out of the rings. */
export const allTrimmed = (tracks: Tracks): Tracks =>
  Object.fromEntries(
    Object.entries(tracks).map(([surface, track]) => [surface, trackTrimmed(track, trackHead(track))]),
  );

export const trackHead = (track: Track): Place => headOf(track.ring);

export type Recovery =
  | { readonly kind: 'current'; readonly at: Place }
  | { readonly kind: 'replay'; readonly after: Place }
  | { readonly kind: 'snapshot'; readonly reason: SnapshotReason };

/** What the position of a reader is worth against this track. */
export interface Against {
  readonly epoch: string;
  readonly policyMark: string;
}

/** `unusable`: a position was given, but it opened to nothing. */
export type From = OpenedPosition | 'unusable' | undefined;

const snapshot = (reason: SnapshotReason): Recovery => ({ kind: 'snapshot', reason });

export const planRecovery = (track: Track, from: From, against: Against): Recovery => {
  if (from === undefined) return snapshot('join');
  if (from === 'unusable') return snapshot('reset');
  // Who saw nothing yet continues with everything, whatever log or policy that nothing was of.
  const nothingSeen = samePlace(from.place, START);
  if (!nothingSeen && from.epoch !== against.epoch) return snapshot('reset');
  if (!nothingSeen && from.policyMark !== undefined && from.policyMark !== against.policyMark)
    return snapshot('policy');
  if (from.place.seq > track.seq) return snapshot('reset');
  return planFromPlace(track, from.place);
};

export const planFromPlace = (track: Track, place: Place): Recovery => {
  const found = findPlace(track.ring, place);
  if (found === undefined) return snapshot(comparePlaces(place, track.ring.before) < 0 ? 'trimmed' : 'reset');
  if (samePlace(found, trackHead(track))) return { kind: 'current', at: found };
  if (shownAfter(track.ring, found).some((shown) => shown.resets)) return snapshot('reset');
  return { kind: 'replay', after: { seq: found.seq, index: found.index } };
};
