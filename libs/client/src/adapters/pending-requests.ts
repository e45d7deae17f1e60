/** Pairs requests with their one reply or refusal, over reconnects. */
import {
  refusal,
  refuse,
  type ClientFrameName,
  type Refusal,
  type RefusalCode,
  type Result,
} from '@triptych/protocol';
import { backOffMs } from '../core/back-off.js';
import { frameText, isTooLarge } from '../core/frame-text.js';
import type { Clock } from './clock.js';

/** After this a person wants to know; the hub answers in milliseconds when it can. */
const REQUEST_TIMEOUT_MS = 20_000;
/** Nobody waits for more answers than this at a time; who asks more has lost count. */
const MAX_PENDING = 1_000;

const TOO_LATE = 'No answer came in time. It is not known whether this was accepted.';
/** Refusals that ask for the same request again, by its ids. */
const SAY_AGAIN: ReadonlySet<RefusalCode> = new Set<RefusalCode>(['STORE_UNAVAILABLE', 'DRAINING']);

export interface Request {
  readonly event: ClientFrameName;
  readonly data: unknown;
  /** Repeating it is harmless: the hub knows the request by its ids. */
  readonly repeatable: boolean;
}

interface Pending {
  readonly event: ClientFrameName;
  readonly text: string;
  readonly repeatable: boolean;
  readonly answered: (result: Result<unknown>) => void;
  readonly stopTimer: () => void;
  stopAgain: () => void;
  again: number;
  /** Why it was not taken yet. */
  last?: Refusal;
}

export interface PendingTools {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly random: () => number;
  /** Sends now if the connection is ready, else not at all. */
  readonly send: (text: string) => void;
  /** What the hub told of its limits; empty while not connected. */
  readonly limits: () => Readonly<Record<string, number>>;
}

export class PendingRequests {
  private readonly pending = new Map<string, Pending>();

  constructor(private readonly tools: PendingTools) {}

  /** `answered` is called while the reply's frame is handled, before any later frame is. */
  open({ event, data, repeatable }: Request, answered: (result: Result<unknown>) => void): void {
    if (this.pending.size >= MAX_PENDING)
      return answered(refuse('RATE_LIMITED', { message: `${MAX_PENDING} requests wait for an answer.` }));
    const id = this.tools.newId();
    const text = frameText({ event, id, data });
    if (!text.ok) return answered(text);
    const stopTimer = this.tools.clock.later(REQUEST_TIMEOUT_MS, () => this.tooLate(id));
    const none = (): void => undefined;
    this.pending.set(id, {
      event,
      text: text.value,
      repeatable,
      answered,
      stopTimer,
      stopAgain: none,
      again: 0,
    });
    this.send(id);
  }

  settle(id: string | undefined, result: Result<unknown>): void {
    const entry = id === undefined ? undefined : this.pending.get(id);
    if (entry === undefined || id === undefined) return;
    if (!result.ok && entry.repeatable && SAY_AGAIN.has(result.refusal.code))
      return this.later(id, entry, result.refusal);
    this.end(id, entry, result);
  }

  /** What a new connection sends again. */
  repeat(): void {
    for (const [id, { repeatable }] of [...this.pending]) if (repeatable) this.send(id);
  }

  /** The connection went: what may not be repeated gets its answer now. */
  dropUnrepeatable(): void {
    for (const [id, entry] of [...this.pending]) {
      if (!entry.repeatable) this.end(id, entry, refuse('STORE_UNAVAILABLE'));
    }
  }

  failAll(no: Refusal): void {
    for (const [id, entry] of [...this.pending]) this.end(id, entry, { ok: false, refusal: no });
  }

  private send(id: string): void {
    const entry = this.pending.get(id);
    if (entry === undefined) return;
    entry.stopAgain();
    const isRun = entry.event === 'run';
    if (!isTooLarge(entry.text, isRun, this.tools.limits())) return this.tools.send(entry.text);
    const details = { limit: isRun ? 'MAX_BODY' : 'MAX_FRAME' };
    this.end(id, entry, refuse('PAYLOAD_TOO_LARGE', { details }));
  }

  /** CLI-20: the store was away or the instance is leaving; the same request is sent again within its time. */
  private later(id: string, entry: Pending, no: Refusal): void {
    const { clock, random } = this.tools;
    const waitMs = backOffMs(entry.again, random(), no.retryAfterMs);
    entry.again += 1;
    entry.last = no;
    entry.stopAgain();
    entry.stopAgain = clock.later(waitMs, () => this.send(id));
  }

  private tooLate(id: string): void {
    const entry = this.pending.get(id);
    if (entry === undefined) return;
    const no = entry.last ?? refusal('STORE_UNAVAILABLE', { message: TOO_LATE });
    this.end(id, entry, { ok: false, refusal: no });
  }

  private end(id: string, entry: Pending, result: Result<unknown>): void {
    this.pending.delete(id);
    entry.stopTimer();
    entry.stopAgain();
    entry.answered(result);
  }
}
