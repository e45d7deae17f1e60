/** Finds the sum of money in what a person wrote: "2 million", "€900k", "1.200.000", "200万". */

export interface FoundAmount {
  readonly amount: number;
  /** ISO 4217, where the text names one. */
  readonly currency?: string;
}

/** A bare number below this is more likely an age, a count or a day. */
const LEAST_BARE_AMOUNT = 100;

const CURRENCIES: Readonly<Record<string, string>> = {
  '€': 'EUR',
  eur: 'EUR',
  euro: 'EUR',
  euros: 'EUR',
  $: 'USD',
  usd: 'USD',
  dollar: 'USD',
  dollars: 'USD',
  '£': 'GBP',
  gbp: 'GBP',
  pounds: 'GBP',
  chf: 'CHF',
  francs: 'CHF',
  '¥': 'CNY',
  cny: 'CNY',
  元: 'CNY',
};
const MULTIPLES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  mio: 1e6,
  million: 1e6,
  millions: 1e6,
  bn: 1e9,
  billion: 1e9,
  万: 1e4,
  亿: 1e8,
};

const oneOf = (words: Readonly<Record<string, unknown>>): string =>
  Object.keys(words)
    .toSorted((a, b) => b.length - a.length)
    .map((word) => (/[a-z]$/.test(word) ? `${word}(?!\\p{sc=Latin})` : word.replace('$', '\\$')))
    .join('|');

const GROUPED = String.raw`\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?`;
const AMOUNT = new RegExp(
  `(?<![\\p{sc=Latin}\\d]|[\\p{sc=Latin}\\d][-.,])(?:(?<before>${oneOf(CURRENCIES)})\\s?)?` +
    `(?<digits>${GROUPED}|\\d+(?:[.,]\\d+)?)` +
    `(?:\\s?(?<multiple>${oneOf(MULTIPLES)}))?(?:\\s?(?<after>${oneOf(CURRENCIES)}))?` +
    String.raw`(?!\s?(?:%|years?|months?|weeks?|days?|nights?|people))`,
  'giu',
);

/** The sum with a currency or a multiple before a bare number; of those, the largest. */
export const findAmount = (text: string): FoundAmount | undefined =>
  [...text.matchAll(AMOUNT)]
    .flatMap(candidateOf)
    .toSorted((a, b) => Number(b.marked) - Number(a.marked) || b.found.amount - a.found.amount)[0]?.found;

const candidateOf = (match: RegExpMatchArray): { found: FoundAmount; marked: boolean }[] => {
  const { digits = '', multiple, before, after } = match.groups ?? {};
  const word = before ?? after;
  const currency = word && CURRENCIES[word.toLowerCase()];
  const amount =
    numberOf(digits, multiple !== undefined) * (multiple ? (MULTIPLES[multiple.toLowerCase()] ?? 1) : 1);
  const marked = multiple !== undefined || currency !== undefined;
  if (!marked && amount < LEAST_BARE_AMOUNT) return [];
  const rounded = Math.round(amount * 100) / 100;
  return [{ found: currency ? { amount: rounded, currency } : { amount: rounded }, marked }];
};

/** "1.200" is a thousand and more, but "1.200 million" is a little over one million. */
const numberOf = (digits: string, multiplied: boolean): number => {
  const separators = digits.match(/\D/g) ?? [];
  const lastOne = separators.at(-1);
  if (lastOne === undefined) return Number(digits);
  const tail = digits.length - digits.lastIndexOf(lastOne) - 1;
  const decimal = /[.,]/.test(lastOne) && (tail !== 3 || (multiplied && separators.length === 1));
  const whole = decimal ? digits.slice(0, digits.lastIndexOf(lastOne)) : digits;
  const fraction = decimal ? digits.slice(digits.lastIndexOf(lastOne) + 1) : '0';
  return Number(`${whole.replaceAll(/\D/g, '')}.${fraction}`);
};
