/** Reads a moment written as ISO 8601; text without a zone means UTC. */
const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const daysIn = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : (DAYS[month - 1] ?? 0);

/** Days since 1970-01-01 in the proleptic Gregorian calendar; March is the year's first month so that leap days come last. */
const dayNumber = (year: number, month: number, day: number): number => {
  const shifted = month > 2 ? year : year - 1;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
};

const offsetMs = (zone: string | undefined): number | undefined => {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))];
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS);
};

const dateMs = (year: number, month: number, day: number): number | undefined =>
  month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
    ? dayNumber(year, month, day) * DAY_MS
    : undefined;

/** 24:00 is midnight at the end of the day, and second 60 a leap second; both are legal and neither is worth a refusal. */
const timeMs = (hour: number, minute: number, second: number): number | undefined =>
  hour > 24 || minute > 59 || second > 60
    ? undefined
    : hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS;

const fractionMs = (digits: string | undefined): number => Number((digits ?? '').padEnd(3, '0').slice(0, 3));

/** Unix milliseconds; undefined: this is no date. */
export const instantOf = (text: string): number | undefined => {
  const match = ISO.exec(text.trim());
  if (!match) return undefined;
  const numbers = match.slice(1, 7).map((part) => Number(part ?? 0));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers;
  const date = dateMs(year, month, day);
  const time = timeMs(hour, minute, second);
  const offset = offsetMs(match[8]);
  if (date === undefined || time === undefined || offset === undefined) return undefined;
  return date + time + fractionMs(match[7]) - offset;
};
