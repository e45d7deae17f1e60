/** A clock that moves only when a test moves it. */
import type { Clock } from '../src/adapters/clock.js';

export class HandClock implements Clock {
  private time = 1_000_000;
  private readonly due: { at: number; task: () => void }[] = [];

  now(): number {
    return this.time;
  }

  later(ms: number, task: () => void): () => void {
    const entry = { at: this.time + ms, task };
    this.due.push(entry);
    return () => {
      const at = this.due.indexOf(entry);
      if (at >= 0) this.due.splice(at, 1);
    };
  }

  advance(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = this.due.filter((entry) => entry.at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.due.splice(this.due.indexOf(next), 1);
      this.time = next.at;
      next.task();
    }
    this.time = end;
  }
}
