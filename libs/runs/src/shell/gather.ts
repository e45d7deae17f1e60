/** Hands over whatever an async source has ready, so that one write can carry many events. */

/**
 * Reads ahead of the consumer by at most `limit` items (the source is not pulled beyond that: back-pressure reaches the agent),
 * and yields all that is waiting as one non-empty array. Ends, or throws, when the source does. A consumer that leaves early
 * aborts the source first: a generator waiting for the network would never answer `return()` otherwise.
 */
export async function* gather<T>(
  source: AsyncIterable<T>,
  { limit, abort }: { readonly limit: number; readonly abort: AbortController },
): AsyncGenerator<readonly T[], void, void> {
  let waiting: T[] = [];
  let ended = false;
  let failure: { readonly error: unknown } | undefined;
  let wake = (): void => undefined;
  let room = (): void => undefined;
  const reader = source[Symbol.asyncIterator]();
  const pull = async (): Promise<void> => {
    try {
      for (;;) {
        const next = await reader.next();
        if (next.done || ended) break;
        waiting.push(next.value);
        wake();
        if (waiting.length >= limit) await new Promise<void>((resolve) => (room = resolve));
      }
    } catch (error) {
      failure = { error };
    }
    ended = true;
    wake();
  };
  const pulling = pull();
  try {
    while (!ended || waiting.length > 0) {
      if (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      const batch = waiting;
      waiting = [];
      room();
      if (batch.length > 0) yield batch;
    }
    if (failure) throw failure.error;
    await pulling;
  } finally {
    const early = !ended;
    ended = true;
    room();
    if (early) abort.abort();
    await pulling;
  }
}
