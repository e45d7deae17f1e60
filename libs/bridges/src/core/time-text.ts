/** Writes a moment for whoever reads it, in the zone of nobody in particular: the same for all who look. */

/** What a date can be at most; a time beyond it is as far away. */
const LAST_MS = 8_640_000_000_000_000;

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

export const timeText = (ms: number): string =>
  `${moment.format(Math.max(-LAST_MS, Math.min(LAST_MS, ms)))} UTC`;
