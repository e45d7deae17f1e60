/** A figure as it is written in a form: typed bare, read back in groups. */

/** Shorter ones are as likely a year or a number of things. */
const GROUPED_FROM = 10_000;
const BARE = /^[-+]?\d+(\.\d+)?$/u;
const IN_GROUPS = /^[-+]?\d{1,3}(,\d{3})+(\.\d+)?$/u;

/** `1750000` as `1,750,000`; every digit is kept. */
export const groupedText = (value: number): string => {
  const text = String(value);
  if (Math.abs(value) < GROUPED_FROM || !BARE.test(text)) return text;
  const [whole = '', rest] = text.split('.');
  const groups = whole.replace(/\B(?=(\d{3})+$)/gu, ',');
  return rest === undefined ? groups : `${groups}.${rest}`;
};

/** What a text says if it is a figure, else the text: nothing is guessed. */
export const figureIn = (text: string): number | string => {
  const trimmed = text.trim();
  if (BARE.test(trimmed)) return Number(trimmed);
  return IN_GROUPS.test(trimmed) ? Number(trimmed.replaceAll(',', '')) : text;
};
