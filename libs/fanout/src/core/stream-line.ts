/** The port of what a stream of events is written to: a response in one of its encodings, or a socket. */
import type { CloseReason, Position } from '@triptych/protocol';

export interface StreamEvent {
  readonly json: string;
  /** Where the reader stands after it. */
  readonly id?: Position;
  readonly name?: string;
}

/** Looks after itself: it shows that it lives, and ends with its reader's token or when nothing is taken. */
export interface StreamLine {
  /** Nobody is at the other end any more. */
  readonly closed: boolean;
  /** Heard at once by whoever comes too late: what is held for a line must never wait for an end that has been. */
  onceClosed(hear: () => void): void;
  /** Until now it could have become a refusal; from here on it is a stream. */
  open(recovered?: 'replay' | 'snapshot'): void;
  send(events: readonly StreamEvent[]): void;
  /** Next to nothing waits. */
  clear(): boolean;
  /** Bytes handed over that the kernel has not taken. */
  unsent(): number;
  /** Bytes the kernel has taken so far; only grows. */
  taken(): number;
  /** Without a reason: done, after all that was handed over. */
  end(reason?: CloseReason): void;
}
