/** Keeps the times of one run with an agent: ends its connection when one is over, and remembers which. */
import { cut } from '../core/agent-answer.js';
import type { Cut } from '../core/agent-answer.js';
import type { AgentTimeouts } from '../core/agent-spec.js';

export type Phase = 'connect' | 'first-event' | 'idle';
export type WhyEnded = Phase | 'total' | 'aborted';

export interface RunWatch {
  /** What made us end the connection; nothing as long as we did not. */
  ended(): WhyEnded | undefined;
  /** Counts against the limit of a phase until the returned function is called; time the reader spends elsewhere is free. */
  wait(phase: Phase): () => void;
  /** Called once, at once if it is over already. */
  onEnd(close: () => void): void;
  dispose(): void;
}

export const watchRun = (timeouts: AgentTimeouts, signal: AbortSignal): RunWatch => {
  let why: WhyEnded | undefined;
  let closers: (() => void)[] = [];
  // Comments come while the first event does not, so its time is a budget over many waits.
  const left = { connect: timeouts.connectMs, 'first-event': timeouts.firstEventMs, idle: timeouts.idleMs };

  const end = (reason: WhyEnded): void => {
    if (why) return;
    why = reason;
    dispose();
    for (const close of closers) close();
    closers = [];
  };
  const abort = (): void => end('aborted');
  const total = setTimeout(() => end('total'), timeouts.totalMs);
  const dispose = (): void => {
    clearTimeout(total);
    signal.removeEventListener('abort', abort);
  };
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });

  return {
    ended: () => why,
    wait: (phase) => {
      const since = performance.now();
      const timer = setTimeout(() => end(phase), left[phase]);
      return () => {
        clearTimeout(timer);
        if (phase === 'first-event') left[phase] = Math.max(0, left[phase] - (performance.now() - since));
      };
    },
    onEnd: (close) => {
      if (why) close();
      else closers.push(close);
    },
    dispose,
  };
};

/** What a run is told about a connection that we ended; nothing when its own owner wanted that. */
export const cutFor = (why: WhyEnded, timeouts: AgentTimeouts): Cut | undefined => {
  switch (why) {
    case 'aborted':
      return undefined;
    case 'total':
      return cut('hub/timeout-total', `the run took longer than ${timeouts.totalMs} ms`);
    case 'idle':
      return cut('hub/timeout-idle', `the agent sent nothing for ${timeouts.idleMs} ms`);
    case 'connect':
    case 'first-event':
      return cut('hub/timeout-first-event', `the agent sent no event within ${timeouts.firstEventMs} ms`);
  }
};
