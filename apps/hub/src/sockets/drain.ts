/** Sends every socket elsewhere before this instance leaves, spread out so that they do not all return at once. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Sessions } from '../rooms/sessions.js';

/** A deployment waits for this; half of what the stop of one step may take. */
const DRAIN_MS = 1_000;
/** Clients come back within this time, each at a moment of its own. */
const RETURN_MS = 2_000;

export const drainSockets = async (sessions: Sessions): Promise<void> => {
  const open = sessions.all();
  for (const [nth, { session }] of open.entries()) {
    session.close('RESTART', Math.floor((nth / open.length) * RETURN_MS));
    if (nth % 100 === 99) await pause((DRAIN_MS * 100) / open.length);
  }
};
