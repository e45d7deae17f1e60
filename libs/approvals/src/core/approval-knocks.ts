/** The port by which work is announced: a knock may be lost or come twice, for the store alone decides. */
export interface ApprovalKnocks {
  /** A batch is ready; `attempt` is the one that shall be made. */
  dispatch(batchId: string, attempt: number): Promise<void>;
  /** Something about this task falls due at `at` (Unix ms); a deadline that moved has another generation. */
  wakeAt(taskId: string, at: number, generation: number): Promise<void>;
}
