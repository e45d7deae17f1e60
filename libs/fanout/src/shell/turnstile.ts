/** Lets only so many calls through at once; the others wait in order. */
export type Turnstile = <T>(call: () => Promise<T>) => Promise<T>;

export const turnstile = (atOnce: number): Turnstile => {
  let inside = 0;
  const waiting: (() => void)[] = [];
  return async (call) => {
    if (inside >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else inside += 1;
    try {
      return await call();
    } finally {
      // The place passes on to the next in line, or is free.
      const next = waiting.shift();
      if (next === undefined) inside -= 1;
      else next();
    }
  };
};
