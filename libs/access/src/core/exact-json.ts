/** Reads JSON only when nothing of it would be lost in reading: no repeated key, no number a double does not hold. */
import { isDeeperThan, MAX_DEPTH } from '@triptych/protocol';
import { namesOnce } from './names-once.js';
import { canonicalOf } from './canonical.js';

export type ExactJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

const NOT_EXACT: ExactJson = { ok: false };

/** The number's digits without sign, point and idle zeros, and the power of ten they stand at. */
const decimalOf = (literal: string): string => {
  const [mantissa = '', power = '0'] = literal.replace(/^-/, '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const trimmed = digits.replace(/0+$/, '');
  return trimmed === ''
    ? '0'
    : `${trimmed}e${Number(power) - fraction.length + digits.length - trimmed.length}`;
};

/** A double "holds" the number it prints: what is shown, approved and sent on must be the same figure. */
const isHeld = (literal: string): boolean => {
  const text = String(Number(literal));
  return text === literal || (/^[-\d.e+]+$/.test(text) && decimalOf(text) === decimalOf(literal));
};

/** ACC-12: a repeated key, a number that a double does not hold exactly, or nesting beyond all events counts as not JSON. */
export const parseExactJson = (text: string): ExactJson => {
  try {
    const value: unknown = JSON.parse(text);
    // Whoever walks the value later may do so by recursion.
    return !isDeeperThan(value, MAX_DEPTH) && namesOnce(text, isHeld) ? { ok: true, value } : NOT_EXACT;
  } catch (failure) {
    if (failure instanceof SyntaxError) return NOT_EXACT;
    throw failure;
  }
};

/** Parsed, or as the text they are; a call that brought none has neither. */
export type ReadArguments =
  | { readonly args: unknown; readonly argsText?: undefined }
  | { readonly args?: undefined; readonly argsText?: string };

/**
 * The arguments of a tool call as a proposal shows them. Lone surrogates have no hash that others could check, so such
 * arguments count as text.
 */
export const readArguments = (text: string): ReadArguments => {
  if (text.trim() === '') return {};
  const read = parseExactJson(text);
  return read.ok && canonicalOf(read.value) !== undefined ? { args: read.value } : { argsText: text };
};
