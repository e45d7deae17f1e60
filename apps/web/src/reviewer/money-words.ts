/** Several amounts in one breath; nothing where there is none. */
import type { Formats } from '../shared/formats.js';
import type { Money } from './core/stake.js';

export const moneyWords = (sums: readonly Money[], formats: Formats): string | undefined =>
  sums.length === 0
    ? undefined
    : sums.map(({ value, currency }) => formats.money(value, currency)).join(' + ');
