/** One task at one destination: what is shown there, and what becomes of an attempt to show more. Times are Unix milliseconds. */
import { MAX_POSTED, MAX_WHY, type Delivery } from './bridge.js';
import type { Was } from './print.js';
import { retryAt, type Schedule } from './retry.js';

/** What was shown last. */
export interface ShownNow {
  readonly posted: string;
  readonly print: string;
  readonly was: Was;
  /** How often something was told there. */
  readonly told?: number | undefined;
}

/** A run of failures that is not over. */
export interface Failing {
  /** Attempts that failed. */
  readonly attempts: number;
  /** When the first of them did. */
  readonly since: number;
  /** What could not be shown. */
  readonly print: string;
  readonly again: number;
  readonly why: string;
}

export interface Posting {
  readonly shown?: ShownNow | undefined;
  /** What is being sent, or was when its sender died: until it is known what came of it, it may be there. */
  readonly sending?: string | undefined;
  readonly failing?: Failing | undefined;
  /** Given up: a dead letter tells of it, and it is shown again when that is sent again. */
  readonly dead?: true | undefined;
}

export const NEW_POSTING: Posting = {};

/** False: what is shown there is true, or nobody tries any more. */
export const isBehind = ({ shown, dead }: Posting, print: string): boolean => !dead && shown?.print !== print;

/** When it is to be tried, if it is behind: a change of the task does not wait for the retry of what was before it. */
export const dueAt = ({ failing }: Posting, print: string, now: number): number =>
  failing?.print === print ? Math.max(now, failing.again) : now;

/** To be kept before anything is sent. */
export const beginSending = (posting: Posting, print: string): Posting => ({ ...posting, sending: print });

/** Whoever sent last may have got it there; an update of what is there harms nobody. */
export const isUnsure = ({ sending }: Posting): boolean => sending !== undefined;

export interface Attempt {
  /** Of its bridge. */
  readonly schedule: Schedule;
  readonly print: string;
  /** What is shown there once it has arrived; of another print, there is more to be told. */
  readonly then: Omit<ShownNow, 'posted'>;
  readonly now: number;
  /** In [0, 1). */
  readonly chance: number;
}

export interface Outcome {
  readonly posting: Posting;
  /** When it is to be tried again; undefined: never by itself. */
  readonly again?: number | undefined;
  /** How long the whole destination waits. */
  readonly holdMs?: number | undefined;
  /** Why it is given up. */
  readonly dead?: string | undefined;
  /** The destination works, or does not. */
  readonly health?: 'well' | 'ill' | 'gone' | undefined;
}

/** A destination that asks for more patience than this is asked again all the same. */
const MOST_PATIENCE_MS = 15 * 60_000;
const LEAST_PATIENCE_MS = 50;

const given = (retryAfterMs: number): number =>
  Math.min(MOST_PATIENCE_MS, Math.max(LEAST_PATIENCE_MS, Number.isFinite(retryAfterMs) ? retryAfterMs : 0));

const failed = (posting: Posting, said: string, { schedule, print, now, chance }: Attempt): Outcome => {
  const { attempts = 0, since = now } = posting.failing ?? {};
  const again = retryAt(schedule, { since, now, chance });
  const why = said.slice(0, MAX_WHY);
  const failing = { attempts: attempts + 1, since, print, again: again ?? now, why };
  if (again === undefined) return { posting: { ...posting, failing, dead: true }, dead: failing.why };
  return { posting: { ...posting, failing }, again };
};

/** `before`: the posting as it was before this attempt began; it says whether an earlier one may have arrived. */
export const afterDelivery = (before: Posting, delivery: Delivery, attempt: Attempt): Outcome => {
  const { print, then, now } = attempt;
  switch (delivery.kind) {
    case 'shown': {
      const shown = { posted: delivery.posted.slice(0, MAX_POSTED), ...then };
      return { posting: { shown }, health: 'well', again: then.print === print ? undefined : now };
    }
    case 'later': {
      const holdMs = given(delivery.retryAfterMs);
      return { posting: before, again: now + holdMs, holdMs };
    }
    case 'waits':
      return { posting: before, again: now + given(delivery.forMs) };
    case 'unsure':
      return failed(beginSending(before, print), delivery.why, attempt);
    case 'failed':
      return failed(before, delivery.why, attempt);
    case 'refused':
    case 'gone': {
      const { failing } = failed(before, delivery.why, attempt).posting;
      return {
        posting: { ...before, failing, dead: true },
        dead: failing?.why,
        health: delivery.kind === 'gone' ? 'gone' : 'ill',
      };
    }
  }
};

/** A dead letter that is sent again begins anew; what may have arrived may still have. */
export const revived = ({ shown, sending }: Posting): Posting => ({
  ...(shown ? { shown } : {}),
  ...(sending === undefined ? {} : { sending }),
});
