/** The port of the index of claims: what a person may be holding. The tasks say whether they are. */
export interface Holder {
  readonly tenant: string;
  readonly subject: string;
}

export interface NotedClaim {
  readonly taskId: string;
  /** Unix milliseconds. */
  readonly at: number;
}

export interface ClaimIndex {
  /** Written ahead of a claim; `now` by the store's clock. Answers how many this person may be holding with it. */
  note(holder: Holder, taskId: string, now: number): Promise<number>;
  noted(holder: Holder): Promise<readonly NotedClaim[]>;
  forget(holder: Holder, taskIds: readonly string[]): Promise<void>;
}
