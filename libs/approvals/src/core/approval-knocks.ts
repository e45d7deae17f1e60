/** The port by which work is announced: a knock may be lost or come twice, for the store alone decides. */

/** Something about this task or batch falls due at `at` (Unix ms); a deadline that moved is another knock. */
export interface Wake {
  readonly id: string;
  readonly kind: string;
  readonly at: number;
}

export interface ApprovalKnocks {
  /** A batch is ready; `attempt` is the one that shall be made. */
  dispatch(batchId: string, attempt: number): Promise<void>;
  /** `now`: by the store's clock, so that the wait is as long as the store says. */
  wakeAt(wake: Wake, now: number): Promise<void>;
}
