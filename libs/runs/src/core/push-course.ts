/** Says where a pushed event belongs: to the run under way, to one that is over, or to one that begins with it. */
import type { PushItem } from './push-batch.js';

/** Where thread and producer stand when the event comes. */
export interface PushStanding {
  readonly active?: { readonly runId: string; readonly started: boolean };
  /** The run the producer worked for last. */
  readonly own?: {
    readonly runId: string;
    /** Who ended it; absent while it goes on. */
    readonly endedBy?: 'agent' | 'hub';
    /** No other run began after it. */
    readonly isLast: boolean;
  };
}

export type PushCourse =
  /** Judged as the next event of the run under way. */
  | 'run'
  /** A run begins with it, if the thread is free. */
  | 'begin'
  /** Another run holds the thread. */
  | 'busy'
  /** The agent's error after the end of its run: stored. */
  | 'late-error'
  /** The same after another run has begun: it only marks its own. */
  | 'late-mark'
  /** Rest of a run that the hub has ended: counted and kept, no fault. */
  | 'rest'
  /** No run is there for it. */
  | 'fault';

const courseOfStart = ({ runId }: PushItem, { active, own }: PushStanding): PushCourse => {
  if (!active) return 'begin';
  if (active.runId === runId && !active.started) return 'run';
  // Its own run goes on: the judge will call it the fault it is.
  return active.started && (own?.runId === active.runId || active.runId === runId) ? 'run' : 'busy';
};

/** An agent that cannot even begin says so with an error alone. */
const isOfUnbegun = ({ type, runId }: PushItem, active: NonNullable<PushStanding['active']>): boolean =>
  !active.started && type === 'RUN_ERROR' && (runId === undefined || runId === active.runId);

const courseAfterEnd = (
  { type }: PushItem,
  { endedBy, isLast }: NonNullable<PushStanding['own']>,
): PushCourse => {
  if (endedBy === 'hub') return 'rest';
  if (endedBy !== 'agent' || type !== 'RUN_ERROR') return 'fault';
  return isLast ? 'late-error' : 'late-mark';
};

export const courseOf = (item: PushItem, standing: PushStanding): PushCourse => {
  if (item.type === 'RUN_STARTED') return courseOfStart(item, standing);
  const { active, own } = standing;
  if (active && (!own || own.runId === active.runId || isOfUnbegun(item, active))) return 'run';
  return own ? courseAfterEnd(item, own) : 'fault';
};
