/** Does what concerns one thing in the order it was asked, different things side by side. */

/** More than this is no conversation; the store is away, or somebody tries what we bear. */
const MAX_WAITING = 256;

export class WorkLines {
  /** Only while there is work: most sockets have none for hours. */
  private lines: Map<string, Promise<void>> | undefined;
  private waiting = 0;
  private waitingBytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** False when there is too much to do already. `work` never rejects. */
  add(key: string, bytes: number, work: () => Promise<void>): boolean {
    if (this.waiting >= MAX_WAITING || (this.waiting > 0 && this.waitingBytes + bytes > this.maxBytes))
      return false;
    this.waiting += 1;
    this.waitingBytes += bytes;
    const lines = (this.lines ??= new Map());
    const line = (lines.get(key) ?? Promise.resolve()).then(work).finally(() => {
      this.waiting -= 1;
      this.waitingBytes -= bytes;
      if (lines.get(key) === line) lines.delete(key);
      if (this.waiting === 0) this.lines = undefined;
    });
    lines.set(key, line);
    return true;
  }
}
