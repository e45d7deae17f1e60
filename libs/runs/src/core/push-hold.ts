/** How long a pushed run may go on: no process carries it, so its times stand in the store for every hub to see. */
import type { RunErrorCode } from '@triptych/protocol';
import type { PushAgent } from './ports.js';

/** Kept beside the lease of a run whose agent comes by itself; Unix milliseconds. */
export interface PushHold {
  readonly run: string;
  /** When the agent must have said something, and how the run ends if it has not. */
  readonly due: number;
  readonly why: RunErrorCode;
  /** When the run takes too long as a whole. */
  readonly ends: number;
  /** The socket that took the run or spoke for it last, and until when that socket vouches for it. */
  readonly socket?: { readonly id: string; readonly until: number };
}

/** A socket that was lost may be replaced by another within this, on whichever hub, milliseconds. */
export const VOUCH_MS = 5_000;
/** After a cancel was asked for, the agent may end the run in its own words within this, milliseconds. */
export const CANCEL_MS = 10_000;

type Timeouts = PushAgent['timeouts'];
type Due = Pick<PushHold, 'due' | 'why'>;

const sooner = (due: Due, ends: number): Due =>
  due.due <= ends ? due : { due: ends, why: 'hub/timeout-total' };

/** Offered, and not taken yet. */
export const offeredAt = (now: number, { connectMs, totalMs }: Timeouts): Omit<PushHold, 'run'> => ({
  due: now + connectMs,
  why: 'hub/agent-unavailable',
  ends: now + totalMs,
});

/** Taken, or begun by the agent itself. */
export const begunAt = (now: number, { firstEventMs }: Timeouts, ends: number): Due =>
  sooner({ due: now + firstEventMs, why: 'hub/timeout-first-event' }, ends);

/** The agent has said something. */
export const heardAt = (now: number, { idleMs }: Timeouts, ends: number): Due =>
  sooner({ due: now + idleMs, why: 'hub/timeout-idle' }, ends);

/** undefined: the run may go on. */
export const lapseOf = (hold: PushHold, cancelled: boolean, now: number): RunErrorCode | undefined => {
  if (now >= hold.due) return hold.why;
  if (!hold.socket || now < hold.socket.until) return undefined;
  return cancelled ? 'hub/cancelled' : 'hub/runner-lost';
};

/** When it is worth a look again. */
export const nextLapse = ({ due, socket }: Pick<PushHold, 'due' | 'socket'>): number =>
  Math.min(due, socket?.until ?? due);
