/** Keeps one thread's position and model, and says when to ask the hub again. */
import {
  emptyModel,
  missedPatch,
  modelStep,
  type AguiData,
  type AguiEvent,
  type Model,
  type Position,
  type Refusal,
  type SnapshotData,
  type SnapshotReason,
} from '@triptych/protocol';
import { backOffMs } from './back-off.js';

/** What a listener sees. The model stays what it was while the connection is away. */
export interface ThreadView {
  readonly threadId: string;
  /** `joining`: nothing known yet · `catching-up`: shown, maybe old · `live` · `ended`: refused or no longer allowed. */
  readonly phase: 'joining' | 'catching-up' | 'live' | 'ended';
  readonly model: Model;
  readonly pos?: Position;
  /** Why the model was last built anew; `join` for the first time. */
  readonly rebuilt?: SnapshotReason;
  /** Why the model's state is behind the thread's, until the snapshot that was asked for. */
  readonly missed?: string;
  /** The refusal code that ended it. */
  readonly ended?: string;
}

export interface ThreadTrack {
  readonly view: ThreadView;
  /** A subscribe is on its way: frames of the former delivery mean nothing until its reply. */
  readonly asking: boolean;
  /** Gaps since the last frame that fitted. */
  readonly gaps: number;
  /** The run in which a patch did not apply, and a snapshot was asked for. */
  readonly mendedIn?: string;
  /** "Later" in a row since a subscribe was last taken. */
  readonly refusals: number;
}

export type TrackEffect = { readonly do: 'nothing' } | { readonly do: 'ask'; readonly afterMs: number };
export interface TrackStep {
  readonly track: ThreadTrack;
  readonly effect: TrackEffect;
}

/** A position that gaps this often in a row is not mended by asking from it; join anew. */
const MAX_GAPS = 3;
const NOTHING: TrackEffect = { do: 'nothing' };
const ASK_NOW: TrackEffect = { do: 'ask', afterMs: 0 };

export const newTrack = (threadId: string): ThreadTrack => ({
  view: { threadId, phase: 'joining', model: emptyModel() },
  asking: false,
  gaps: 0,
  refusals: 0,
});

interface Folded {
  readonly model: Model;
  /** Why the first patch that did not apply did not. */
  readonly missed: string | undefined;
}

const foldOne = ({ model, missed }: Folded, event: AguiEvent): Folded => {
  const next = modelStep(model, event);
  return { model: next, missed: missed ?? missedPatch(next) };
};
const fold = (model: Model, events: readonly AguiEvent[]): Folded =>
  events.reduce(foldOne, { model, missed: undefined });

/** What is known is given up: the thread is left and joined again. */
export const joinsAnew = ({ gaps, view }: ThreadTrack): boolean =>
  view.pos !== undefined && (view.missed !== undefined || gaps >= MAX_GAPS);

/** What to send with `subscribe`: from where we stand, or nothing for a join. */
export const askFrom = (track: ThreadTrack): Position | undefined =>
  joinsAnew(track) ? undefined : track.view.pos;

export const asked = (track: ThreadTrack): ThreadTrack => ({
  ...track,
  asking: true,
  view: { ...track.view, phase: track.view.pos === undefined ? 'joining' : 'catching-up' },
});

/** After the reply frames count again; a snapshot or the missed frames follow at once. */
export const trackAnswered = (track: ThreadTrack): ThreadTrack => ({ ...track, asking: false, refusals: 0 });

/** `chance` in [0, 1) spreads those who are all told "later" at once. */
export const trackRefused = (track: ThreadTrack, refusal: Refusal, chance: number): TrackStep => {
  if (refusal.next !== 'retry') return { track: trackEnded(track, refusal.code), effect: NOTHING };
  const afterMs = backOffMs(track.refusals, chance, refusal.retryAfterMs);
  return { track: { ...track, refusals: track.refusals + 1 }, effect: { do: 'ask', afterMs } };
};

export const trackEnded = (track: ThreadTrack, code: string): ThreadTrack => ({
  ...track,
  asking: false,
  view: { ...track.view, phase: 'ended', ended: code },
});

/** The connection went: everything stays as it is, the place is kept. */
export const trackAway = (track: ThreadTrack): ThreadTrack =>
  track.view.phase === 'live'
    ? { ...track, asking: false, view: { ...track.view, phase: 'catching-up' } }
    : { ...track, asking: false };

/** CLI-6: a snapshot is applied to an empty model. */
export const trackSnapshot = (track: ThreadTrack, data: SnapshotData): ThreadTrack => {
  if (track.asking || track.view.phase === 'ended') return track;
  const { model } = fold(emptyModel(), data.events);
  const view: ThreadView = {
    threadId: track.view.threadId,
    phase: 'live',
    model,
    pos: data.pos,
    rebuilt: data.reason,
  };
  return { ...track, gaps: 0, view };
};

/** CLI-39: once a run; an agent whose patches are wrong again and again gets nobody to ask again and again. */
const afterPatches = (track: ThreadTrack, missed: string | undefined): TrackStep => {
  const run = String(track.view.model.run?.started?.['runId']);
  if (missed === undefined || track.mendedIn === run) return { track, effect: NOTHING };
  return { track: { ...track, mendedIn: run, view: { ...track.view, missed } }, effect: ASK_NOW };
};

/** CLI-4, CLI-5: only what continues our position is applied; anything else is a gap and is asked for again. */
export const trackEvents = (track: ThreadTrack, data: AguiData): TrackStep => {
  if (track.asking || track.view.phase === 'ended') return { track, effect: NOTHING };
  if (data.prev !== track.view.pos) return { track: { ...track, gaps: track.gaps + 1 }, effect: ASK_NOW };
  const { model, missed } = fold(track.view.model, data.events);
  const view: ThreadView = { ...track.view, phase: 'live', model, pos: data.pos };
  return afterPatches({ ...track, gaps: 0, view }, missed);
};

/** CLI-7: a quiet thread's head that is not ours means something was lost on the way. */
export const trackHead = (track: ThreadTrack, pos: Position): TrackStep => {
  if (track.asking || track.view.phase === 'ended') return { track, effect: NOTHING };
  if (pos !== track.view.pos) return { track: { ...track, gaps: track.gaps + 1 }, effect: ASK_NOW };
  const known = track.view.phase === 'live' ? track.view : { ...track.view, phase: 'live' as const };
  return { track: { ...track, view: known }, effect: NOTHING };
};

/** The hub says nothing was missed. */
export const trackUnchanged = (track: ThreadTrack): ThreadTrack => ({
  ...trackAnswered(track),
  view: track.view.pos === undefined ? track.view : { ...track.view, phase: 'live' },
});
