/** Money in a few characters, for the inside of a chart. */
import type { Language } from '../../shared/texts/catalogue.js';

export const shortMoney = (value: number, currency: string, language: Language): string => {
  const locale = language === 'zh' ? 'zh-CN' : 'en-GB';
  const form = { notation: 'compact', maximumFractionDigits: 1 } as const;
  try {
    return new Intl.NumberFormat(locale, {
      ...form,
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
    }).format(value);
  } catch {
    // Not a currency code: the number is still right.
    return new Intl.NumberFormat(locale, form).format(value);
  }
};
