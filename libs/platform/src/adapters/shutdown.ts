/** Stops what was started, in reverse order, each step within bounds. */
import type { Log } from '../core/log.js';

export type Stop = () => void | Promise<void>;

export interface Shutdown {
  /** Adds a step; the last one added is the first to run. */
  add(name: string, stop: Stop): void;
  /** Runs all steps once; further calls wait for the same end. */
  run(): Promise<void>;
}

/** Orchestrators kill after 10–30 s; one hanging step must leave time for the others. */
const STEP_MS = 8_000;

const within = async (ms: number, stop: Stop): Promise<'done' | 'late'> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms);
  });
  const done = (async (): Promise<'done'> => {
    await stop();
    return 'done';
  })();
  return Promise.race([done, late]).finally(() => clearTimeout(timer));
};

export const shutdownList = (log: Log, stepMs = STEP_MS): Shutdown => {
  const steps: { name: string; stop: Stop }[] = [];
  let ending: Promise<void> | undefined;
  const runAll = async (): Promise<void> => {
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
      try {
        const end = await within(stepMs, step.stop);
        if (end === 'late') log.warn('shutdown.step-abandoned', { step: step.name, afterMs: stepMs });
      } catch (error) {
        // One failing step must not keep the others from stopping.
        log.error('shutdown.step-failed', { step: step.name, error });
      }
    }
  };
  return {
    add: (name, stop) => void steps.push({ name, stop }),
    run: () => (ending ??= runAll()),
  };
};
