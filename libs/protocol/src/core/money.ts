/** Finds the money in a tool's arguments: a number with the name of a sum, beside a currency. */

export interface Money {
  readonly value: number;
  /** ISO 4217. */
  readonly currency: string;
}

type Bag = Readonly<Record<string, unknown>>;

const SUM = /(amount|price|total|sum|limit|balance)$/i;
/** Nobody reads a sum that lies deeper. */
const MAX_DEPTH = 4;

export const isSumName = (name: string): boolean => SUM.test(name);

export const currencyIn = ({ currency }: Bag): string | undefined =>
  typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) ? currency : undefined;

const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null;

/** The first sum, in the order in which the arguments are read. */
export const moneyIn = (args: unknown, depth = 1): Money | undefined => {
  if (!isBag(args) || depth > MAX_DEPTH) return undefined;
  const currency = Array.isArray(args) ? undefined : currencyIn(args);
  for (const [name, value] of Object.entries(args)) {
    if (typeof value === 'number' && currency !== undefined && isSumName(name)) return { value, currency };
    const deeper = moneyIn(value, depth + 1);
    if (deeper) return deeper;
  }
  return undefined;
};
