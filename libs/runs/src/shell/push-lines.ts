/** Does what concerns one thread in the order it was asked, within bounds. */

/** Pushes of one thread that wait for their turn; a producer that has more under way is told to slow down. */
const MAX_WAITING = 32;

export class PushLines {
  private readonly lines = new Map<string, { waiting: number; last: Promise<unknown> }>();

  /** undefined: too many wait already. */
  async in<T>(key: string, work: () => Promise<T>): Promise<T | undefined> {
    const line = this.lines.get(key) ?? { waiting: 0, last: Promise.resolve() };
    if (line.waiting >= MAX_WAITING) return undefined;
    line.waiting += 1;
    const turn = line.last.then(work);
    line.last = turn.catch(() => undefined);
    this.lines.set(key, line);
    try {
      return await turn;
    } finally {
      line.waiting -= 1;
      if (line.waiting === 0) this.lines.delete(key);
    }
  }
}
