/** A wait that its owner can end early. */
export interface Pause {
  readonly over: Promise<void>;
  end(): void;
}

export const pause = (ms: number): Pause => {
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    end = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  return { over, end };
};
