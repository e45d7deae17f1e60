/** Says where a request stands among the steps its agent has. */

export type StepState = 'done' | 'now' | 'waiting' | 'todo';

export interface Progress {
  readonly steps: readonly { readonly label: string; readonly state: StepState }[];
  /** 1-based place of the step that counts now; the total when all are done. */
  readonly at: number;
  readonly finished: boolean;
}

interface StepsSeen {
  readonly finished: ReadonlySet<string>;
  readonly running: ReadonlySet<string>;
}

/** Nothing when the agent has no steps, or none of them has been seen: no measure is invented. */
export const progressOf = (
  labels: readonly string[],
  seen: StepsSeen,
  held: boolean,
): Progress | undefined => {
  if (labels.length === 0 || !labels.some((label) => seen.finished.has(label) || seen.running.has(label))) {
    return undefined;
  }
  const runningAt = labels.findLastIndex((label) => seen.running.has(label));
  const lastDone = labels.findLastIndex((label) => seen.finished.has(label));
  const current = runningAt >= 0 ? runningAt : lastDone + 1;
  const finished = current >= labels.length;
  const steps = labels.map((label, index) => ({ label, state: stateOf(index, current, held) }));
  return { steps, at: Math.min(current + 1, labels.length), finished };
};

const stateOf = (index: number, current: number, held: boolean): StepState => {
  if (index < current) return 'done';
  if (index > current) return 'todo';
  return held ? 'waiting' : 'now';
};
