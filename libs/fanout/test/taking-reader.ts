/** A reader that takes its bytes when told to. */
import type { CloseReason } from '@triptych/protocol';
import type { Delivery } from '../src/core/delivery.js';
import type { Reader } from '../src/core/reader.js';

/** Makes small stories fill windows of hundreds of kilobytes. */
export const WEIGHT = 300;

export abstract class TakingReader implements Reader {
  readonly closed: CloseReason[] = [];
  /** Bytes stay unsent until taken while this is true. */
  stalled = false;
  /** How often it was served as one of many. */
  poured = 0;
  private waiting = 0;
  private total = 0;

  /** `weight`: how many bytes each byte counts. */
  constructor(private readonly weight: number) {}

  deliver(delivery: Delivery): void {
    const text = delivery.frame();
    const bytes = text.length * this.weight;
    if (this.stalled) this.waiting += bytes;
    this.total += bytes;
    this.read(delivery, text);
  }

  pour(delivery: Delivery): boolean {
    if (this.stalled || this.waiting > 0) return false;
    this.poured += 1;
    this.deliver(delivery);
    return true;
  }

  unsent(): number {
    return this.waiting;
  }

  taken(): number {
    return this.total - this.waiting;
  }

  take(bytes = Number.POSITIVE_INFINITY): void {
    this.waiting = Math.max(0, this.waiting - bytes);
  }

  close(reason: CloseReason): void {
    this.closed.push(reason);
  }

  protected abstract read(delivery: Delivery, text: string): void;
}
