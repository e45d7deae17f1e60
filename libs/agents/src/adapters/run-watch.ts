/** Keeps the times of one run with an agent: ends its connection when one is over, and remembers which. */
import { cut } from '../core/agent-answer.js';
import type { Cut } from '../core/agent-answer.js';
import type { AgentTimeouts } from '../core/agent-spec.js';

export type Phase = 'connect' | 'first-event' | 'idle';
export type WhyEnded = Phase | 'total' | 'aborted';

export interface RunWatch {
  /** What made us end the connection; nothing as long as we did not. */
  ended(): WhyEnded | undefined;
  /** How long the whole may take by now, ms. */
  totalMs(): number;
  /** Counts against the limit of a phase until the returned function is called; time the reader spends elsewhere is free. */
  wait(phase: Phase): () => void;
  /** Called once, at once if it is over already. */
  onEnd(close: () => void): void;
  /** So many milliseconds more for the whole. */
  prolong(ms: number): void;
  dispose(): void;
}

/** No timer of Node goes further. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Calls back once the whole has taken too long, which may be put off. */
const limitTotal = (firstMs: number, over: () => void) => {
  let totalMs = firstMs;
  let endsAt = performance.now() + totalMs;
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    clearTimeout(timer);
    const left = endsAt - performance.now();
    timer = setTimeout(() => (left > MAX_TIMER_MS ? wait() : over()), Math.min(left, MAX_TIMER_MS));
  };
  wait();
  return {
    ms: (): number => totalMs,
    putOff: (ms: number): void => {
      totalMs += ms;
      endsAt += ms;
      if (timer) wait();
    },
    stop: (): void => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
};

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
  const total = limitTotal(timeouts.totalMs, () => end('total'));
  const dispose = (): void => {
    total.stop();
    signal.removeEventListener('abort', abort);
  };
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });

  return {
    ended: () => why,
    totalMs: total.ms,
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
    prolong: total.putOff,
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
