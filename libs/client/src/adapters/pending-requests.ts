/** Pairs requests with their one reply or refusal, over reconnects. */
import { refusal, refuse, type ClientFrame, type ClientFrameName, type Result } from '@triptych/protocol';
import type { Clock } from './clock.js';

/** After this a person wants to know; the hub answers in milliseconds when it can. */
const REQUEST_TIMEOUT_MS = 20_000;

const TOO_LATE = 'No answer came in time. It is not known whether this was accepted.';

export interface Request {
  readonly event: ClientFrameName;
  readonly data: unknown;
  /** Repeating it is harmless: the hub knows the request by its ids. */
  readonly repeatable: boolean;
}

interface Pending {
  readonly frame: ClientFrame;
  readonly repeatable: boolean;
  readonly settle: (result: Result<unknown>) => void;
  readonly stopTimer: () => void;
}

export class PendingRequests {
  private readonly pending = new Map<string, Pending>();

  constructor(
    private readonly clock: Clock,
    private readonly newId: () => string,
  ) {}

  /** `settle` is called while the reply's frame is handled, before any later frame is. */
  open(request: Request, settle: (result: Result<unknown>) => void): ClientFrame {
    const id = this.newId();
    const frame: ClientFrame = { event: request.event, id, data: request.data };
    const stopTimer = this.clock.later(REQUEST_TIMEOUT_MS, () =>
      this.settle(id, refuse('STORE_UNAVAILABLE', { message: TOO_LATE })),
    );
    this.pending.set(id, { frame, repeatable: request.repeatable, settle, stopTimer });
    return frame;
  }

  settle(id: string | undefined, result: Result<unknown>): void {
    const entry = id === undefined ? undefined : this.pending.get(id);
    if (entry === undefined || id === undefined) return;
    this.pending.delete(id);
    entry.stopTimer();
    entry.settle(result);
  }

  /** What a new connection sends again. */
  repeatable(): readonly ClientFrame[] {
    return [...this.pending.values()].filter((entry) => entry.repeatable).map((entry) => entry.frame);
  }

  /** The connection went: what may not be repeated gets its answer now. */
  dropUnrepeatable(): void {
    for (const [id, entry] of this.pending) {
      if (!entry.repeatable) this.settle(id, { ok: false, refusal: refusal('STORE_UNAVAILABLE') });
    }
  }

  failAll(result: Result<unknown>): void {
    for (const id of this.pending.keys()) this.settle(id, result);
  }
}
