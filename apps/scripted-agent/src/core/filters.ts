/** What a placeholder may do to its value before it is shown. */

type Filter = (value: unknown, words: readonly unknown[]) => unknown;

const money: Filter = (value, [currency]) => {
  const amount = Number(value);
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency: typeof currency === 'string' ? currency : 'EUR',
    maximumFractionDigits: 2,
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
  }).format(amount);
};

/** Value at the end of each year, today first: compound growth at a yearly rate. */
const grow: Filter = (value, [rate, years]) =>
  Array.from({ length: Number(years) + 1 }, (_none, year) =>
    Math.round(Number(value) * (1 + Number(rate)) ** year),
  );

const last: Filter = (value) => (Array.isArray(value) ? value.at(-1) : undefined);

export const FILTERS: Readonly<Record<string, Filter>> = { money, grow, last };
