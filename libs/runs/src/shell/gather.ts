/** Hands over whatever an async source has ready, so that one write can carry many events. */

interface GatherOptions {
  /** Items read ahead at most; the source is not pulled beyond that, so back-pressure reaches the agent. */
  readonly limit: number;
  /** Ends the source: a generator waiting for the network would never answer `return()` otherwise. */
  readonly abort: AbortController;
}

class ReadAhead<T> {
  ended = false;
  private waiting: T[] = [];
  private failure: { readonly error: unknown } | undefined;
  private wake = (): void => undefined;
  private room = (): void => undefined;

  constructor(private readonly limit: number) {}

  async pull(source: AsyncIterable<T>): Promise<void> {
    try {
      for await (const item of source) {
        if (this.ended) break;
        this.waiting.push(item);
        this.wake();
        if (this.waiting.length >= this.limit) await new Promise<void>((resolve) => (this.room = resolve));
      }
    } catch (error) {
      this.failure = { error };
    }
    this.ended = true;
    this.wake();
  }

  /** All that waits; empty only when nothing will come any more. */
  async take(): Promise<readonly T[]> {
    if (this.waiting.length === 0 && !this.ended) {
      await new Promise<void>((resolve) => (this.wake = resolve));
      // What came in the same breath is ready within this turn; without it the first of a burst would be a write of its own.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const batch = this.waiting;
    this.waiting = [];
    this.room();
    if (batch.length === 0 && this.failure) throw this.failure.error;
    return batch;
  }

  stop(): void {
    this.ended = true;
    this.room();
  }
}

/** Yields non-empty arrays in order. Ends, or throws, when the source does; a consumer that leaves early aborts the source. */
export async function* gather<T>(
  source: AsyncIterable<T>,
  { limit, abort }: GatherOptions,
): AsyncGenerator<readonly T[], void, void> {
  const ahead = new ReadAhead<T>(limit);
  const pulling = ahead.pull(source);
  try {
    for (let batch = await ahead.take(); batch.length > 0; batch = await ahead.take()) yield batch;
  } finally {
    if (!ahead.ended) abort.abort();
    ahead.stop();
    await pulling;
  }
}
