/** The time the client lives by; tests bring their own. */
export interface Clock {
  now(): number;
  /** Runs `task` once after `ms`; the answer calls it off. */
  later(ms: number, task: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  later: (ms, task) => {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};
