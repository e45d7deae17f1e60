/** Does something for a thread after a while, once however often it is asked, and as soon as anyone asked. */

/** Threads with something to come; of others the worker's rounds think. */
const MAX_TIMERS = 1_000;
/** Nothing is waited for any longer at a time, ms: whoever was called too soon asks again. */
const MAX_WAIT_MS = 60_000;

interface Armed {
  readonly timer: NodeJS.Timeout;
  /** Of the process's own clock, ms. */
  readonly at: number;
}

export class PushTimers {
  private readonly timers = new Map<string, Armed>();

  in(ms: number, key: string, work: () => void): void {
    const wait = Math.min(Math.max(0, ms), MAX_WAIT_MS);
    const at = performance.now() + wait;
    const armed = this.timers.get(key);
    if (armed ? armed.at <= at : this.timers.size >= MAX_TIMERS) return;
    clearTimeout(armed?.timer);
    const timer = setTimeout(() => {
      this.timers.delete(key);
      work();
    }, wait);
    // A process that is to end does not wait for it.
    timer.unref();
    this.timers.set(key, { timer, at });
  }
}
