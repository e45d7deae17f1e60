/** The port to where checkpoints are kept, which must not be where the trail is. */
export interface CheckpointBook {
  /** The line that was written last. */
  last(tenant: string): Promise<string | undefined>;
  /** Kept when this returns, behind all others; none is ever changed. */
  add(tenant: string, lines: readonly string[]): Promise<void>;
  /** All lines, oldest first; one of them may have been cut off. */
  read(tenant: string): AsyncIterable<string>;
}
