import { setTimeout as pause } from 'node:timers/promises';

/** Who sees news is not stuck, only slow: a run may have to be mourned, on a busy machine. ms */
const STUCK_MS = 90_000;
const LONGEST_MS = 300_000;
const LOOK_MS = 1_000;

/** Ends when nothing new was seen for long, or when it all took too long. */
const standsStill = async (seen: () => number, signal: AbortSignal): Promise<void> => {
  const began = Date.now();
  let [before, lately] = [seen(), began];
  while (Date.now() - lately < STUCK_MS && Date.now() - began < LONGEST_MS) {
    await pause(LOOK_MS, undefined, { signal });
    const now = seen();
    if (now !== before) [before, lately] = [now, Date.now()];
  }
};

/** Whether the work came to its end while there was reason to wait for it. */
export const inPatience = async (work: Promise<unknown>, seen: () => number): Promise<boolean> => {
  const done = new AbortController();
  const finished = work.then(() => true);
  const stuck = standsStill(seen, done.signal).then(
    () => false,
    () => true,
  );
  try {
    return await Promise.race([finished, stuck]);
  } finally {
    done.abort();
  }
};
