/** A refusal of the hub as the error that AG-UI's pipeline reports. */
import { httpStatusOf, type NextStep, type Refusal, type RefusalCode } from '@triptych/protocol';

export class HubRefused extends Error {
  override readonly name = 'HubRefused';
  readonly code: RefusalCode;
  /** What to do now: `fix` the request, `reauth`, `retry` it as it was, `resync`, or `stop`. */
  readonly next: NextStep;
  /** Milliseconds to wait before trying again, where waiting helps. */
  readonly retryAfterMs?: number;
  /** More about it, as the code says: `docs/codes.md`. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** The HTTP status of the code: errors of `HttpAgent` have one as well. */
  readonly status: number;

  constructor({ code, message, next, retryAfterMs, details }: Refusal) {
    super(`${code}: ${message}`);
    this.code = code;
    this.next = next;
    this.status = httpStatusOf(code);
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
    if (details !== undefined) this.details = details;
  }
}
