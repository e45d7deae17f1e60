/** The port of whoever reads a surface: a socket, an event stream, a response. */
import type { CloseReason } from '@triptych/protocol';
import type { Delivery } from './delivery.js';

export interface Reader {
  /** The subject that reads. */
  readonly who?: string | undefined;
  deliver(delivery: Delivery): void;
  /** Delivers where next to nothing waits; false: nothing was done, and it must be decided what this reader gets. */
  pour?(delivery: Delivery): boolean;
  /** Bytes handed over that the kernel has not taken. */
  unsent(): number;
  /** Bytes the kernel has taken so far; only grows. */
  taken(): number;
  close(reason: CloseReason): void;
  /** A stream that cannot be told to start over is given what it missed from the log instead of a snapshot. */
  readonly whole?: boolean;
}
