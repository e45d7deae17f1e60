/** Does something for a thread after a while, once however often it is asked. */

/** Threads with something to come; of others the worker's rounds think. */
const MAX_TIMERS = 1_000;

export class PushTimers {
  private readonly timers = new Map<string, NodeJS.Timeout>();

  in(ms: number, key: string, work: () => void): void {
    if (this.timers.has(key) || this.timers.size >= MAX_TIMERS) return;
    const timer = setTimeout(() => {
      this.timers.delete(key);
      work();
    }, ms);
    // A process that is to end does not wait for it.
    timer.unref();
    this.timers.set(key, timer);
  }
}
