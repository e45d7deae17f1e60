/** Measures JSON: how deep it is, and how many bytes it takes. */
export const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** True when containers lie within each other more than `max` deep; never walks deeper than that. */
export const isDeeperThan = (value: unknown, max: number): boolean => {
  if (!isContainer(value)) return false;
  if (max <= 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(item, max - 1));
  for (const key in value) {
    const member: unknown = (value as Record<string, unknown>)[key];
    if (isContainer(member) && isDeeperThan(member, max - 1)) return true;
  }
  return false;
};

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** UTF-8 bytes of a text. */
export const textBytes = (text: string): number => {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else if (isHighSurrogate(code) && isLowSurrogate(text.charCodeAt(index + 1))) {
      bytes += 4;
      index += 1;
    } else bytes += 3;
  }
  return bytes;
};

/** True when the text takes more than `max` UTF-8 bytes; counts only when the length leaves a doubt. */
export const isLongerThan = (text: string, max: number): boolean => {
  if (text.length > max) return true;
  return text.length * 3 > max && textBytes(text) > max;
};

/** UTF-8 bytes of a value's JSON text, as `JSON.stringify` would write it. */
export const jsonBytes = (value: unknown): number => {
  if (typeof value === 'string') return textBytes(JSON.stringify(value));
  if (!isContainer(value)) return JSON.stringify(value)?.length ?? 0;
  if (Array.isArray(value)) {
    return value.reduce((sum: number, item) => sum + jsonBytes(item) + 1, value.length === 0 ? 2 : 1);
  }
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return entries.reduce(
    (sum, [key, member]) => sum + jsonBytes(key) + 1 + jsonBytes(member) + 1,
    entries.length === 0 ? 2 : 1,
  );
};

/** What a number, `true`, `false` or `null` counts for. */
const PRIMITIVE_WEIGHT = 4;

/** About the characters of a value's JSON text; counted no further than `budget`. */
export const weigh = (value: unknown, budget: number): number => {
  if (typeof value === 'string') return value.length + 2;
  if (!isContainer(value)) return PRIMITIVE_WEIGHT;
  let weight = 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && weight <= budget; index += 1)
      weight += 1 + weigh(value[index], budget - weight);
    return weight;
  }
  for (const key of Object.keys(value)) {
    if (weight > budget) break;
    weight += key.length + 4 + weigh((value as Record<string, unknown>)[key], budget - weight);
  }
  return weight;
};
