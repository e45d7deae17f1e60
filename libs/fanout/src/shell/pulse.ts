/** One heartbeat for everything that lives long: no timer of its own for each socket and stream. */
import type { Clock, Report, Timers } from '../core/ports.js';

/** Fine enough for expiry and stalls; a look at ten thousand sessions takes a few milliseconds. */
const PULSE_MS = 1_000;

export interface Pulse {
  /** Calls `beat` every second until the returned stop. */
  add(beat: (now: number) => void): () => void;
  stop(): void;
}

export const pulseOn = (tools: {
  readonly timers: Timers;
  readonly clock: Clock;
  readonly report: Report;
}): Pulse => {
  const beats = new Set<(now: number) => void>();
  const round = (): void => {
    const now = tools.clock.now();
    for (const beat of beats) {
      try {
        beat(now);
      } catch (error) {
        // One broken session must not stop the hearts of the others.
        tools.report('pulse', error);
      }
    }
  };
  const stop = tools.timers.every(PULSE_MS, round);
  return {
    add: (beat) => {
      beats.add(beat);
      return () => void beats.delete(beat);
    },
    stop,
  };
};
