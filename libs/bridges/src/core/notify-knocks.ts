/** The port of the knocks: they say that a lane has work, and none of them is ever needed. */
export interface NotifyKnocks {
  /** Somebody works the lane through at that time (Unix ms). */
  work(destination: string, at: number, now: number): Promise<void>;
}
