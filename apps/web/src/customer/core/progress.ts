/** Says where a request stands among the steps its agent has. */

export type StepState = 'done' | 'now' | 'waiting' | 'you' | 'todo';

/** Who is to act: the agent, an adviser, the customer, or nobody. */
export type Acting = 'agent' | 'adviser' | 'you' | 'nobody';

export interface Progress {
  readonly steps: readonly { readonly label: string; readonly state: StepState }[];
  /** 1-based place of the step that counts now; the total when all are done. */
  readonly at: number;
  readonly done: number;
  /** `paused`: steps are left and nobody is at them. */
  readonly standing: 'going' | 'paused' | 'finished';
}

interface StepsSeen {
  readonly finished: ReadonlySet<string>;
  readonly running: ReadonlySet<string>;
}

const CURRENT: Readonly<Record<Acting, StepState>> = {
  agent: 'now',
  adviser: 'waiting',
  you: 'you',
  nobody: 'todo',
};

/** Nothing when the agent has no steps, or none of them has been seen: no measure is invented. */
export const progressOf = (
  labels: readonly string[],
  seen: StepsSeen,
  acting: Acting,
): Progress | undefined => {
  if (labels.length === 0 || !labels.some((label) => seen.finished.has(label) || seen.running.has(label))) {
    return undefined;
  }
  const runningAt = labels.findLastIndex((label) => seen.running.has(label));
  const lastDone = labels.findLastIndex((label) => seen.finished.has(label));
  const current = runningAt >= 0 ? runningAt : lastDone + 1;
  const steps = labels.map((label, index) => ({ label, state: stateOf(index, current, CURRENT[acting]) }));
  const left = current < labels.length;
  return {
    steps,
    at: Math.min(current + 1, labels.length),
    done: current,
    standing: left ? (acting === 'nobody' ? 'paused' : 'going') : 'finished',
  };
};

const stateOf = (index: number, current: number, now: StepState): StepState => {
  if (index < current) return 'done';
  return index > current ? 'todo' : now;
};
