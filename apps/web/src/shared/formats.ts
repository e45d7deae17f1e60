/** Numbers, money, times and spans in the reader's language; `now` always comes in. */
import type { Language } from './texts/catalogue.js';

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', zh: 'zh-CN' };
/** British short units have a plural (`14 mins`); these do not. */
const UNIT_LOCALES: Readonly<Record<Language, string>> = { en: 'en-US', zh: 'zh-CN' };
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export interface Formats {
  number(value: number): string;
  /** A share of one, with a digit where it needs one: `45%`. */
  percent(share: number): string;
  money(value: number, currency: string): string;
  time(at: number): string;
  timeExact(at: number): string;
  /** The time within a day, else the date with the time. */
  when(at: number, now: number): string;
  ago(at: number, now: number): string;
  /** A span in its one or two largest units: `12 min`, `2 h 5 min`, `3 days`. */
  span(ms: number): string;
  /** The same in whole words that stay on one line: `1 hour`. */
  spanLong(ms: number): string;
  /** Sentences one after the other: Chinese ones follow without a space. */
  sentences(parts: readonly string[]): string;
}

const sameDay = (a: number, b: number): boolean => new Date(a).toDateString() === new Date(b).toDateString();

/** Chinese sets a space between digits and words: `5 分钟前`. */
const spacedDigits = (text: string): string => text.replace(/(\d)(?=\p{Script=Han})/gu, '$1 ');

const unbroken = (text: string): string => text.replaceAll(' ', '\u00A0');

const spanIn = (locale: string, width: 'short' | 'long') => {
  const unit = (value: number, name: string, display = width) =>
    spacedDigits(
      new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: display }).format(value),
    );
  return (ms: number): string => {
    if (ms < MINUTE) return unit(Math.max(0, Math.ceil(ms / SECOND)), 'second');
    if (ms < HOUR) return unit(Math.floor(ms / MINUTE), 'minute');
    if (ms >= DAY * 2) return unit(Math.floor(ms / DAY), 'day', 'long');
    const hours = unit(Math.floor(ms / HOUR), 'hour');
    const minutes = Math.floor((ms % HOUR) / MINUTE);
    return ms >= 4 * HOUR || minutes === 0 ? hours : `${hours} ${unit(minutes, 'minute')}`;
  };
};

const agoIn = (locale: string) => {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const before = (count: number, unit: 'second' | 'minute' | 'hour' | 'day') =>
    spacedDigits(relative.format(-Math.floor(count), unit));
  return (at: number, now: number): string => {
    const past = Math.max(0, now - at);
    if (past < MINUTE) return before(past / SECOND, 'second');
    if (past < HOUR) return before(past / MINUTE, 'minute');
    if (past < DAY) return before(past / HOUR, 'hour');
    return before(past / DAY, 'day');
  };
};

export const formatsFor = (language: Language): Formats => {
  const locale = LOCALES[language];
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 });
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const date = new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const exact = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
  });
  return {
    percent: (share) => percents.format(share),
    number: (value) => numbers.format(value),
    money: (value, currency) => moneyIn(locale, value, currency),
    time: (at) => clock.format(at),
    timeExact: (at) => exact.format(at),
    when: (at, now) => (sameDay(at, now) ? clock.format(at) : date.format(at)),
    ago: agoIn(locale),
    span: spanIn(UNIT_LOCALES[language], 'short'),
    spanLong: (ms) => unbroken(spanIn(UNIT_LOCALES[language], 'long')(ms)),
    sentences: (parts) => parts.join(language === 'zh' ? '' : ' '),
  };
};

const moneyIn = (locale: string, value: number, currency: string): string => {
  const digits = Number.isInteger(value) ? 0 : 2;
  try {
    return new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: digits,
    }).format(value);
  } catch {
    // Not a currency code: the agent's own word is better than none.
    return `${new Intl.NumberFormat(locale).format(value)} ${currency}`;
  }
};
