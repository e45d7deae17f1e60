/** Gathers changes and makes them once a drawn frame, so that a burst of events costs one drawing. */

type Step<T> = (value: T) => T;

export interface FrameQueue<T> {
  readonly add: (step: Step<T>) => void;
  readonly clear: () => void;
}

export const frameQueue = <T>(apply: (step: Step<T>) => void): FrameQueue<T> => {
  let frame: number | undefined;
  let steps: Step<T>[] = [];
  const show = () => {
    frame = undefined;
    const gathered = steps;
    steps = [];
    apply((value) => gathered.reduce((next, step) => step(next), value));
  };
  return {
    add: (step) => {
      steps.push(step);
      frame ??= requestAnimationFrame(show);
    },
    clear: () => {
      if (frame !== undefined) cancelAnimationFrame(frame);
      frame = undefined;
      steps = [];
    },
  };
};
