/** Calls a function at an interval and returns the stop; async work inside goes through `inBackground`. */
export const every = (ms: number, run: () => void): (() => void) => {
  const timer = setInterval(run, ms);
  // A heartbeat must not keep a finished process alive.
  timer.unref();
  return () => clearInterval(timer);
};
