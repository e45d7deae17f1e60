/** Sorts open interrupts into what the customer must answer and what someone else is looking at. */
import type { Interrupt } from '@triptych/protocol';

/** The placeholder that stands for interrupts a customer may not see. */
export const UNDER_REVIEW = 'hub:under_review';

export interface Hold {
  readonly ref?: string;
  /** Unix milliseconds. */
  readonly sentAt?: number;
  readonly text?: string;
  readonly usualMs?: number;
  readonly hours?: string;
}

export interface Waiting {
  readonly hold?: Hold;
  readonly questions: readonly Interrupt[];
}

const timeOf = (value: unknown): number | undefined => {
  if (typeof value === 'number') return value;
  const parsed = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(parsed) ? undefined : parsed;
};

const holdOf = (interrupt: Interrupt): Hold => {
  const hub = (interrupt.metadata?.hub ?? {}) as Record<string, unknown>;
  const sentAt = timeOf(hub.sentAt);
  return {
    ...(typeof hub.ref === 'string' ? { ref: hub.ref } : {}),
    ...(sentAt === undefined ? {} : { sentAt }),
    ...(typeof hub.text === 'string' ? { text: hub.text } : {}),
    ...(typeof hub.usualMs === 'number' ? { usualMs: hub.usualMs } : {}),
    ...(typeof hub.hours === 'string' ? { hours: hub.hours } : {}),
  };
};

export const waitingOf = (interrupts: readonly Interrupt[]): Waiting => {
  const held = interrupts.find((interrupt) => interrupt.reason === UNDER_REVIEW);
  const questions = interrupts.filter((interrupt) => interrupt.reason !== UNDER_REVIEW);
  return held === undefined ? { questions } : { hold: holdOf(held), questions };
};

/** Later than usual counts from when it was sent. */
export const isLate = (hold: Hold, now: number): boolean =>
  hold.sentAt !== undefined && hold.usualMs !== undefined && now - hold.sentAt > hold.usualMs;

/** A deadline that cannot be read is no deadline. */
export const closesAt = (interrupt: Interrupt): number | undefined => timeOf(interrupt.expiresAt);
