/** Lets everybody through, until somebody must be alone for a moment. */
export class Gate {
  private readonly inside = new Set<Promise<unknown>>();
  private alone: Promise<void> = Promise.resolve();

  async pass<T>(work: () => Promise<T>): Promise<T> {
    await this.alone;
    const done = work();
    this.inside.add(done);
    try {
      return await done;
    } finally {
      this.inside.delete(done);
    }
  }

  /** Waits for those inside, and keeps the others out until the work is done. */
  async close(work: () => Promise<void>): Promise<void> {
    this.alone = Promise.allSettled(this.inside).then(work);
    await this.alone;
  }
}
