/** Says when what failed is tried again: soon at first, then rarely, and after a day no more. */
const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

/** Offsets from the first failure. */
export type Schedule = readonly number[];

/** A card that is late is wrong; so chats are asked more often. */
export const CHAT_SCHEDULE: Schedule = [
  ...[1, 5, 30].map((n) => n * SECOND),
  ...[2, 5, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 5, 10, 14, 20, 24].map((n) => n * HOUR),
];
/** As Standard Webhooks has it. */
export const ENDPOINT_SCHEDULE: Schedule = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  ...[2, 5, 10, 14, 20, 24].map((n) => n * HOUR),
];

/** So much of a wait is left to chance, that what failed together does not come back together. */
const JITTER = 0.1;

export interface Failures {
  /** When it failed first; Unix milliseconds. */
  readonly since: number;
  readonly now: number;
  /** In [0, 1). */
  readonly chance: number;
}

/** The next place of the schedule, however often it was tried between; undefined: it is given up. */
export const retryAt = (schedule: Schedule, { since, now, chance }: Failures): number | undefined => {
  const offset = schedule.find((each) => since + each > now);
  return offset === undefined ? undefined : Math.floor(since + offset * (1 + JITTER * chance));
};
