/** Writes large payloads slice by slice, so that a slow line is seen to move and others may speak in between. */

/** On the slowest usable line a slice leaves well within the time after which a line counts as dead. */
export const SLICE_BYTES = 64 * 1024;

/** Writes one slice; `done` when the kernel has taken it. */
export type PutSlice = (slice: Buffer, place: { readonly last: boolean; readonly done: () => void }) => void;

export class SlicedLine {
  private readonly queue: Buffer[] = [];
  private offset = 0;
  private queuedBytes = 0;
  private writing = false;

  constructor(private readonly put: PutSlice) {}

  /** Bytes that were not written to anything yet. */
  get waiting(): number {
    return this.queuedBytes;
  }

  /** Nothing is queued and nothing half written: others may write past this line. */
  get idle(): boolean {
    return !this.writing && this.queue.length === 0;
  }

  send(payload: Buffer): void {
    this.queue.push(payload);
    this.queuedBytes += payload.length;
    if (!this.writing) this.pump();
  }

  /** Forgets what waits; true when no payload was left half written. */
  abandon(): boolean {
    const whole = this.offset === 0;
    this.queue.length = 0;
    this.queuedBytes = 0;
    return whole;
  }

  private pump(): void {
    const payload = this.queue[0];
    this.writing = payload !== undefined;
    if (payload === undefined) return;
    const slice = payload.subarray(this.offset, this.offset + SLICE_BYTES);
    this.offset += slice.length;
    this.queuedBytes -= slice.length;
    const last = this.offset >= payload.length;
    if (last) {
      this.queue.shift();
      this.offset = 0;
    }
    this.put(slice, { last, done: () => this.pump() });
  }
}
