/** Time that stands still until a test moves it. */
import type { Clock, Timers } from '../src/core/ports.js';

interface Timer {
  at: number;
  readonly every: number | undefined;
  readonly run: () => void;
}

export class HandTime implements Clock, Timers {
  private time = 1_000_000;
  private readonly timers = new Set<Timer>();

  now(): number {
    return this.time;
  }

  after(ms: number, run: () => void): () => void {
    return this.start({ at: this.time + ms, every: undefined, run });
  }

  every(ms: number, run: () => void): () => void {
    return this.start({ at: this.time + ms, every: ms, run });
  }

  /** Moves on, running what falls due in its order. */
  advance(ms: number): void {
    const until = this.time + ms;
    for (let next = this.nextBy(until); next !== undefined; next = this.nextBy(until)) {
      this.time = next.at;
      if (next.every === undefined) this.timers.delete(next);
      else next.at += next.every;
      next.run();
    }
    this.time = until;
  }

  private start(timer: Timer): () => void {
    this.timers.add(timer);
    return () => void this.timers.delete(timer);
  }

  private nextBy(until: number): Timer | undefined {
    const due = [...this.timers].filter((timer) => timer.at <= until);
    return due.sort((a, b) => a.at - b.at)[0];
  }
}
